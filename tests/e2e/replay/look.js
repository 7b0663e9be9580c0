// Opens a replay's page in Chromium, in light and in dark, and says what is there.
//
//   node look.js PAGE SCREENSHOTS_FOLDER
const { chromium } = require("playwright-core");
const [page_path, folder] = process.argv.slice(2);

function claim(text, holds) {
  console.log(`${holds ? "ok" : "BROKEN"} ${text}`);
}

async function look(browser, theme) {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width: 1100, height: 900 } });
  const page = await context.newPage();
  const errors = [];
  const requests = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${page_path}`);
  const facts = await page.evaluate(() => ({
    figures: document.querySelectorAll("figure").length,
    drawings: [...document.querySelectorAll("figure svg")].filter((svg) => svg.getBoundingClientRect().height > 20).length,
    tables: [...document.querySelectorAll("figure details table")].filter((table) => table.rows.length > 1).length,
    paper: getComputedStyle(document.body).backgroundColor,
    wider: document.documentElement.scrollWidth > window.innerWidth,
  }));
  claim(`${theme}: no error in the console`, errors.length === 0);
  claim(`${theme}: nothing is fetched but the page`, requests.length === 1);
  claim(`${theme}: every figure is drawn`, facts.figures >= 6 && facts.drawings === facts.figures);
  claim(`${theme}: every figure has its table`, facts.tables === facts.figures);
  claim(`${theme}: nothing is wider than the window`, !facts.wider);
  await page.screenshot({ path: `${folder}/report_${theme}.png`, fullPage: true });
  await context.close();
  return facts.paper;
}

(async () => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const light = await look(browser, "light");
  const dark = await look(browser, "dark");
  claim("light and dark differ", light !== dark);
  await browser.close();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
