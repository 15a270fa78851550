// The judge of a page in Node: answers requests, one line of JSON each, as `alexmagnum engine` does.
// Usage: node node_judge.mjs BUNDLE BOARDS.json LANG; a request {"board": N} changes the map.
import fs from "node:fs";
import readline from "node:readline";
import vm from "node:vm";

const [bundle, boards, lang] = process.argv.slice(2);
const script = new URL("../../alexmagnum/report/templates/page_judge.js", import.meta.url);
const unpackBundle = vm.runInThisContext(`${fs.readFileSync(script, "utf8")}; unpackBundle`);
const packed = Buffer.from(unpackBundle(fs.readFileSync(bundle, "utf8")));
const length = packed.readUInt32LE(0);
const parts = new Map();
let at = 4 + length;
for (const [path, size] of JSON.parse(packed.subarray(4, at).toString())) {
  parts.set(path, new Uint8Array(packed.subarray(at, (at += size))));
}

globalThis.self = globalThis;
globalThis.WorkerGlobalScope = class {};
let heard = null;
let told = 0; // messages of progress
globalThis.postMessage = (message) => {
  if ("progress" in message) told += 1;
  else heard(message);
};
vm.runInThisContext(new TextDecoder().decode(parts.get("worker.js")));

const send = (data) =>
  new Promise((resolve) => {
    heard = resolve;
    self.onmessage({ data });
  });

// Waits until the line has gone through the pipe: what is still in it when a process exits is lost.
const write = (line) => new Promise((resolve) => { process.stdout.write(`${line}\n`, resolve); });

const files = [...parts].filter(([path]) => path.startsWith("app/") || path.startsWith("text/"));
const known = JSON.parse(fs.readFileSync(boards, "utf8"));
const wasm = parts.get("judge.wasm");
const begin = performance.now();
const started = await send({ start: { wasm, files, board: known[0], lang } });
if (process.env.TIMES) console.error("start", performance.now() - begin);
if (!started.ready) {
  console.error(started.failed);
  process.exit(1);
}
let number = 0;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  number += 1;
  const t = performance.now();
  const message = "board" in request && !("op" in request)
    ? await send({ board: known[request.board], lang })
    : await send({ number, request });
  if (process.env.TIMES) console.error(request.op, (performance.now() - t).toFixed(1));
  await write(JSON.stringify(message.answer ?? message));
}
if (process.env.TIMES) console.error("memory", usedMemory());
process.exit(0);
