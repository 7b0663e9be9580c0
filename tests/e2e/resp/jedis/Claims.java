// Jedis against a server: a line a claim, `ok` or `BROKEN`, for tests/e2e/resp_clients.sh.
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Response;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.KeyValue;
import redis.clients.jedis.util.SafeEncoder;

public final class Claims {
  interface Check {
    void run() throws Exception;
  }

  static final ProtocolCommand THROTTLE = () -> SafeEncoder.encode("CL.THROTTLE");
  static final ProtocolCommand TAKE = () -> SafeEncoder.encode("RL.TAKE");
  static final ProtocolCommand ECHO = () -> SafeEncoder.encode("ECHO");
  static final List<Long> FIVE_OF_SIX = Arrays.asList(0L, 0L, 0L, 0L, 0L, 1L);

  static void claim(String text, Check check) {
    try {
      check.run();
      System.out.println("ok " + text);
    } catch (Throwable broken) {
      System.out.println("BROKEN " + text + ": " + broken);
    }
  }

  static void equal(Object seen, Object expected) {
    if (!seen.equals(expected)) throw new AssertionError(seen + ", expected " + expected);
  }

  static HostAndPort at(String port) {
    return new HostAndPort("127.0.0.1", Integer.parseInt(System.getenv(port)));
  }

  static DefaultJedisClientConfig.Builder config(int protocol) {
    DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder();
    return protocol == 3 ? builder.resp3() : builder.resp2();
  }

  static Jedis plain(int protocol) {
    return new Jedis(at("PORT"), config(protocol).build());
  }

  static Jedis secure(int protocol, String password) {
    String folder = System.getenv("CERTIFICATES");
    SslOptions options =
        SslOptions.builder()
            .truststore(new File(folder, "ca.p12"), "changeit".toCharArray())
            .trustStoreType("PKCS12")
            .keystore(new File(folder, "client.p12"), "changeit".toCharArray())
            .keyStoreType("PKCS12")
            .sslVerifyMode(SslVerifyMode.FULL)
            .build();
    JedisClientConfig secured =
        config(protocol).ssl(true).sslOptions(options).password(password).build();
    return new Jedis(at("TLS_PORT"), secured);
  }

  static String[] throttle(String name) {
    return new String[] {"jedis:" + name, "4", "5", "60"};
  }

  static long first(Object reply) {
    return (Long) ((List<?>) reply).get(0);
  }

  static void six(Jedis client, String name) {
    List<Long> limited = new ArrayList<>();
    for (int i = 0; i < 6; ++i) limited.add(first(client.sendCommand(THROTTLE, throttle(name))));
    equal(limited, FIVE_OF_SIX);
  }

  static void pipelines() {
    var pipeline = plain(2).pipelined();
    List<Response<Object>> takes = new ArrayList<>();
    List<Response<Object>> echoes = new ArrayList<>();
    for (int i = 0; i < 1000; ++i) {
      takes.add(pipeline.sendCommand(TAKE, "jedis:pipeline", "700/h"));
      echoes.add(pipeline.sendCommand(ECHO, Integer.toString(i)));
    }
    pipeline.sync();
    for (int i = 0; i < 1000; ++i) {
      equal(first(takes.get(i).get()), i < 700 ? 1L : 0L);
      equal(new String((byte[]) echoes.get(i).get()), Integer.toString(i));
    }
  }

  static void transacts() {
    var transaction = plain(2).multi();
    for (int i = 0; i < 6; ++i) transaction.sendCommand(THROTTLE, throttle("transaction"));
    List<Long> limited = new ArrayList<>();
    for (Object reply : transaction.exec()) limited.add(first(reply));
    equal(limited, FIVE_OF_SIX);
  }

  static void speaksResp3() {
    Object reply = plain(3).sendCommand(TAKE, "jedis:three", "5/h");
    for (Object entry : (List<?>) reply) {
      KeyValue<?, ?> pair = (KeyValue<?, ?>) entry; // what Jedis makes of a map
      if (new String((byte[]) pair.getKey()).equals("remaining")) {
        equal(pair.getValue(), 4L);
        return;
      }
    }
    throw new AssertionError("no `remaining`");
  }

  static void refusesPassword() {
    try {
      secure(2, "wrong");
    } catch (RuntimeException refused) {
      if (refused.toString().contains("WRONGPASS")) return;
      throw refused;
    }
    throw new AssertionError("a wrong password is accepted");
  }

  static void raisesErrors() {
    Jedis client = plain(2);
    try {
      client.sendCommand(TAKE, "jedis:error", "5/6x");
    } catch (JedisDataException refused) {
      if (!refused.getMessage().contains("5/6x")) throw refused;
      equal(client.ping(), "PONG");
      return;
    }
    throw new AssertionError("a limit that is none is accepted");
  }

  static void takesAnyBytes() {
    Jedis client = plain(2);
    List<Object> remaining = new ArrayList<>();
    for (int last : new int[] {0xff, 0xfe}) {
      byte[] key = {'j', 0, '\r', '\n', (byte) last};
      Object reply = client.sendCommand(TAKE, key, "5/2h".getBytes());
      remaining.add(((List<?>) reply).get(2));
    }
    equal(remaining, Collections.nCopies(2, 4L));
  }

  public static void main(String[] arguments) {
    String password = System.getenv("PASSWORD");
    claim("CL.THROTTLE lets five of six pass", () -> six(plain(2), "six"));
    claim("its pipeline of 2000 gets every answer, in order", Claims::pipelines);
    claim("its transaction is answered in order", Claims::transacts);
    claim("RESP3: a take is a map", Claims::speaksResp3);
    claim("RESP3: CL.THROTTLE lets five of six pass", () -> six(plain(3), "six3"));
    claim(
        "TLS with a client certificate and a password", () -> six(secure(2, password), "tls"));
    claim("TLS with RESP3", () -> six(secure(3, password), "tls3"));
    claim("a wrong password is refused", Claims::refusesPassword);
    claim("a limit that is none is an error, and the connection goes on", Claims::raisesErrors);
    claim("keys are any bytes", Claims::takesAnyBytes);
  }
}
