// ioredis against a server: a line a claim, `ok` or `BROKEN`, for tests/e2e/resp_clients.sh.
const fs = require("fs");
const { Redis } = require("ioredis");

const { PORT, TLS_PORT, PASSWORD, CERTIFICATES } = process.env;
const plain = { host: "127.0.0.1", port: Number(PORT), protocol: 2, maxRetriesPerRequest: 0 };
const secure = {
  ...plain,
  port: Number(TLS_PORT),
  password: PASSWORD,
  tls: {
    ca: fs.readFileSync(`${CERTIFICATES}/ca.pem`),
    cert: fs.readFileSync(`${CERTIFICATES}/client.pem`),
    key: fs.readFileSync(`${CERTIFICATES}/client.key`),
  },
};

const key = (name) => `ioredis:${name}`;
const same = (seen, expected) => {
  if (JSON.stringify(seen) === JSON.stringify(expected)) return;
  throw new Error(`${JSON.stringify(seen)}, expected ${JSON.stringify(expected)}`);
};

async function claim(text, options, check) {
  const client = new Redis({ ...options, retryStrategy: null, lazyConnect: true });
  client.on("error", () => {}); // told by the command that fails
  try {
    await client.connect();
    await check(client);
    console.log(`ok ${text}`);
  } catch (broken) {
    console.log(`BROKEN ${text}: ${broken}`.replace(/\n/g, " "));
  } finally {
    client.disconnect();
  }
}

async function sixThrottles(client, name) {
  const limited = [];
  for (let i = 0; i < 6; ++i)
    limited.push((await client.call("CL.THROTTLE", key(name), 4, 5, 60))[0]);
  same(limited, [0, 0, 0, 0, 0, 1]);
}

async function refused(client, word, ...command) {
  const refusal = await client.call(...command).then(
    () => "accepted",
    (error) => error.message,
  );
  if (!refusal.includes(word)) throw new Error(refusal);
  same(await client.ping(), "PONG");
}

async function main() {
  await claim("CL.THROTTLE lets five of six pass", plain, (c) => sixThrottles(c, "six"));

  await claim("its pipeline of 2000 gets every answer, in order", plain, async (client) => {
    const pipeline = client.pipeline();
    for (let i = 0; i < 1000; ++i) pipeline.call("RL.TAKE", key("pipeline"), "700/h").echo(`${i}`);
    const replies = (await pipeline.exec()).map(([error, reply]) => error || reply);
    const takes = replies.filter((_, i) => i % 2 === 0);
    same(takes.map((take) => take[0]), [...Array(700).fill(1), ...Array(300).fill(0)]);
    same(replies.filter((_, i) => i % 2 === 1), [...Array(1000).keys()].map(String));
  });

  await claim("commands in one tick go out as a pipeline", { ...plain, enableAutoPipelining: true },
    async (client) => {
      const takes = await Promise.all(
        [...Array(50)].map(() => client.call("RL.TAKE", key("auto"), "20/h")),
      );
      same(takes.reduce((sum, take) => sum + take[0], 0), 20);
    });

  await claim("its transaction is answered in order", plain, async (client) => {
    const multi = client.multi();
    for (let i = 0; i < 6; ++i) multi.call("CL.THROTTLE", key("transaction"), 4, 5, 60);
    same((await multi.exec()).map(([error, reply]) => (error ? -1 : reply[0])), [0, 0, 0, 0, 0, 1]);
  });

  await claim("a transaction with a command that is none is discarded", plain, async (client) => {
    const refusal = await client.multi().call("NO.SUCH", "k").exec().then(
      () => "accepted",
      (error) => error.message,
    );
    if (!refusal.includes("EXECABORT")) throw new Error(refusal);
    same(await client.ping(), "PONG");
  });

  await claim("RESP3: a take is a map", { ...plain, protocol: 3 }, async (client) => {
    const take = await client.call("RL.TAKE", key("three"), "5/h"); // names and values in turn
    same(take[take.indexOf("remaining") + 1], 4);
  });

  await claim("TLS with a client certificate and a password", secure, (c) => sixThrottles(c, "tls"));

  await claim("TLS with RESP3", { ...secure, protocol: 3 }, (c) => sixThrottles(c, "tls3"));

  await claim("a limit that is none is an error, and the connection goes on", plain, (client) =>
    refused(client, "5/6x", "RL.TAKE", key("error"), "5/6x"));

  await claim("keys are any bytes", plain, async (client) => {
    const names = [0xff, 0xfe].map((byte) => Buffer.concat([Buffer.from(key("")), Buffer.from([0, 13, 10, byte])]));
    const takes = [];
    for (const name of names) takes.push((await client.call("RL.TAKE", name, "5/d"))[2]);
    same(takes, [4, 4]);
  });
}

main().catch((broken) => console.log(`BROKEN ${broken}`));
