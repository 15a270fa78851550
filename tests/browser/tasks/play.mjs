// Does the tasks of tasks.mjs on the pages of a folder by real input in a browser:
//   node play.mjs chromium|firefox PROGRAM WAY FOLDER [PART]
// PROGRAM is that of the browser, WAY one of the names in WAYS, PART a part of the names of pages, for some of them.
// It prints a line for each page that complained or on which something could not be done, which it leaves a picture of
// in the folder.  It ends with 1 then, and with 3 if the browser does not start.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { tasks } from "./tasks.mjs";

const WAYS = {
  telephone: { input: "touch", size: { width: 360, height: 740 } },
  tablet: { input: "touch", size: { width: 768, height: 1024 } },
  mouse: { input: "mouse", size: { width: 1366, height: 768 } },
  keyboard: { input: "keys", size: { width: 1366, height: 768 } },
};
const PATIENCE = 60_000; // milliseconds for each thing that a task waits for: other tests keep the machine busy
const LOOKS = 100; // milliseconds between two looks
const OUT_OF_SIGHT = 15; // looks in a row after which a place is not on its way into sight
const STEPS = 8; // movements of a finger or a mouse from one point to another

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf-8").trim();
const EYES = read("eyes.js").replace("findSpot", `(${read("../find_spot.js")})`).replace("findSlot", `(${read("../find_slot.js")})`);

class Hand {
  constructor(page, input) {
    this.page = page;
    this.input = input;
    this.byKeys = input === "keys";
  }

  // Press a thing: with a finger, with the mouse, or with Tab and Enter, after which the focus has to be somewhere.
  async press(thing) {
    if (!this.byKeys) return this.draw(await this.find(thing));
    await this.reach(thing);
    await this.page.keyboard.press("Enter");
    return this.until(() => this.ask("focus"), `the focus is lost: ${thing}`);
  }

  // Press a link to another page, on which nothing has the focus.
  async follow(link) {
    if (!this.byKeys) return this.press(link);
    await this.reach(link);
    return this.page.keyboard.press("Enter");
  }

  // Draw from one thing to another.
  async drag(from, to) {
    await this.find(to); // which may move the map away under the other
    return this.draw(await this.find(from), await this.find(to));
  }

  async draw(start, end = start) {
    const way = Array.from({ length: STEPS }, (_, n) => start.map((at, i) => at + (end[i] - at) * (n + 1) / STEPS));
    if (this.input === "touch") {
      const touch = await this.page.touchscreen.touchStart(...start);
      if (end !== start) for (const point of way) await touch.move(...point);
      return touch.end();
    }
    const { mouse } = this.page;
    await mouse.move(...start);
    await mouse.down();
    if (end !== start) for (const point of way) await mouse.move(...point);
    return mouse.up();
  }

  // Order a unit: on the map with a pointer, from the lists with keys.
  async order(unit, { verb, place = null, name = "" }) {
    const onMap = !this.byKeys;
    await this.press(onMap ? { unit } : `.subject | ${unit}`);
    if (place && onMap) return this.press({ province: place });
    await this.press(`#choices button | ${verb}`);
    return place && this.press(`#choices button | ${name}`);
  }

  // Choose from a list by letters, as with keys only.
  async spell(list, letters) {
    await this.reach(list);
    for (const letter of letters) await this.page.keyboard.press(letter);
  }

  // Put a text in the place of what a box holds, as by pasting.
  async fill(box, text) {
    await (this.byKeys ? this.reach(box) : this.press(box));
    await this.chord("Control", "a");
    return this.page.evaluate((pasted) => document.execCommand("insertText", false, pasted), text);
  }

  // Wait until an element says, holds or leads to what fits an expression.
  async see(thing, wanted = "") {
    return this.until(() => this.ask("tells", thing, wanted), `not seen: ${thing} with ${wanted}`);
  }

  // Go to an element by keys, and stay there for two looks: a page may make its buttons anew.
  async reach(thing) {
    let looks = 0;
    return this.until(async () => {
      const keys = await this.ask("approach", thing);
      if (keys && keys.length) await this.chord(...keys);
      looks = keys && !keys.length ? looks + 1 : 0;
      if (looks) await sleep(LOOKS);
      return looks > 1 ? thing : null;
    }, `cannot be reached: ${thing}`, 0);
  }

  async chord(...keys) {
    for (const key of keys) await this.page.keyboard.down(key);
    for (const key of keys.reverse()) await this.page.keyboard.up(key);
  }

  // Return the point of a thing once it rests; show the whole map if it stays out of sight.
  async find(thing) {
    let [last, missed] = [null, 0];
    return this.until(async () => {
      const now = await this.ask("locate", thing);
      const rests = now && String(now) === String(last);
      last = now;
      missed = now ? 0 : missed + 1;
      if (missed === OUT_OF_SIGHT && typeof thing === "object") await this.press("[data-zoom=whole]");
      return rests ? now : null;
    }, `cannot be hit: ${JSON.stringify(thing)}`);
  }

  async ask(question, ...about) {
    try {
      return await this.page.evaluate(`(${EYES}).${question}(${about.map((each) => JSON.stringify(each))})`);
    } catch (error) {
      if (/context|navigat|detached/i.test(error.message)) return null; // the page makes way for the next one
      throw error;
    }
  }

  async until(find, complaint, pause = LOOKS) {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(pause)) {
      const found = await find();
      if (found !== null) return found;
    }
    throw new Error(complaint);
  }
}

const [engine, executablePath, way, folder, only = ""] = process.argv.slice(2);
const { input, size } = WAYS[way];
const finger = input === "touch" ? 1 : 0;
const report = readFileSync(join(folder, "report.txt"), "utf-8");
const browser = await puppeteer.launch({
  browser: engine === "firefox" ? "firefox" : "chrome",
  executablePath,
  args: engine === "chromium" ? ["--no-sandbox", "--disable-gpu"] : [],
  extraPrefsFirefox: {
    "browser.download.alwaysOpenPanel": false, // it takes the focus
    "browser.download.dir": folder,
    "browser.download.folderList": 2,
    "dom.w3c_touch_events.enabled": finger,
    "ui.primaryPointerCapabilities": finger ? 1 : 6, // coarse, or fine and hovering
    "ui.prefersReducedMotion": 1,
    "ui.allPointerCapabilities": finger ? 1 : 6,
  },
}).catch((error) => {
  console.error(error.message);
  process.exit(3);
});
for (const [name, task] of Object.entries(tasks)) {
  if (!name.includes(only)) continue;
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("dialog", (dialog) => dialog.accept());
  if (engine === "chromium") {
    await page.setViewport({ ...size, hasTouch: Boolean(finger), isMobile: Boolean(finger) });
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  } else {
    await page.setViewport(size);
  }
  await page.goto(pathToFileURL(join(folder, name)).href);
  try {
    await task(new Hand(page, input), report);
  } catch (error) {
    complaints.push(error.message);
    await page.screenshot({ path: join(folder, `${name.replaceAll("/", "-")}-${engine}-${way}.png`) });
  }
  if (complaints.length) {
    process.exitCode = 1;
    console.log(`${name}: ${complaints.join("; ")}`);
  }
  await page.close();
}
await browser.close();
