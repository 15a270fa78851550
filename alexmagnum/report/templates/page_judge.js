"use strict";
// The judge in a page: starts it in a worker and asks it. docs/page-judge.md lists the requests.
//
//   const judge = pageJudge({bundle, board, lang});   bundle: the text of the bundle; board: the map as an object;
//                                                     lang: the language of sentences
//   judge.ask(request)        a promise of the answer to a request: {"op": "adjudicate", "orders": {...}}; it is refused with an
//                             Error if the judge cannot run or was stopped. Requests are answered one after the other
//   judge.ready               a promise that the judge runs; never refused: see judge.failed
//   judge.failed(callback)    calls back with a reason, once, if the judge cannot run: "unsupported" (this browser is too old or
//                             forbids it), "broken" (the bundle is damaged) or "stopped" (it broke down); also if it already has
//   judge.stop()              stops what the judge is at: all requests that wait are refused. The next one starts it anew
//
// Nothing is fetched: the worker and all that it needs are made from the text of the bundle.
const pageJudge = ({ bundle, board, lang }) => {
  const STOPPED = "stopped";
  const waiting = new Map(); // by number of a request: how to answer it
  let number = 0;
  let worker = null;
  let parts = null; // a promise of the files of the bundle, unpacked once
  let started = null; // a promise that the worker runs
  let abandon = null; // refuses the promise of a start that still lasts
  let reason = ""; // why the judge cannot run
  const hearers = [];

  const fail = (why, detail) => {
    if (reason) return;
    reason = why;
    for (const hear of hearers.splice(0)) hear(why, detail);
  };

  const refuse = (why) => {
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };

  const isSupported = () => ["WebAssembly", "Worker", "Blob", "DecompressionStream", "FinalizationRegistry", "WeakRef"]
    .every((name) => typeof globalThis[name] !== "undefined");

  /** The files of the bundle by path: 4 bytes with the length of a list of paths and lengths, the list, the files. */
  const unpack = async () => {
    const packed = Uint8Array.from(atob(bundle), (sign) => sign.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const content = await new Response(stream).arrayBuffer();
    let at = 4 + new DataView(content).getUint32(0, true);
    const list = JSON.parse(new TextDecoder().decode(new Uint8Array(content, 4, at - 4)));
    return new Map(list.map(([path, length]) => {
      at += length;
      return [path, new Uint8Array(content.slice(at - length, at))];
    }));
  };

  const launch = (files) => new Promise((resolve, reject) => {
    abandon = reject;
    const address = URL.createObjectURL(new Blob([files.get("worker.js")], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        URL.revokeObjectURL(address);
        resolve();
      } else if ("number" in data) {
        const request = waiting.get(data.number);
        waiting.delete(data.number);
        if (request && data.failed === undefined) request.resolve(data.answer);
        else if (request) request.reject(new Error(data.failed));
      } else {
        reject(new Error(data.failed));
      }
    };
    worker.onerror = (event) => {
      reject(new Error(event.message || "no worker"));
      if (waiting.size) fail("stopped", event.message);
      refuse(event.message || "no worker");
    };
    const taken = [...files].filter(([path]) => path.startsWith("app/") || path.startsWith("text/"));
    worker.postMessage({ start: { wasm: files.get("judge.wasm"), files: taken, board, lang } });
  });

  const start = async () => {
    if (!isSupported()) {
      fail("unsupported");
      throw new Error("unsupported");
    }
    parts ||= unpack();
    let files;
    try {
      files = await parts;
      if (!files.has("worker.js") || !files.has("judge.wasm")) throw new Error("files are missing");
    } catch (error) {
      fail("broken", String(error));
      throw error;
    }
    try {
      await launch(files);
    } catch (error) {
      if (error.message !== STOPPED) fail("unsupported", String(error));
      throw error;
    }
  };

  const run = () => {
    started ||= start();
    started.catch(() => {});
    return started;
  };

  const ask = async (request) => {
    await run();
    const mine = ++number;
    return new Promise((resolve, reject) => {
      waiting.set(mine, { resolve, reject });
      worker.postMessage({ number: mine, request });
    });
  };

  const stop = () => {
    if (worker) worker.terminate();
    worker = null;
    started = null;
    if (abandon) abandon(new Error(STOPPED));
    refuse(STOPPED);
  };

  const failed = (hear) => {
    if (reason) hear(reason);
    else hearers.push(hear);
  };

  return { ask, stop, failed, ready: new Promise((resolve) => { run().then(resolve, () => {}); }) };
};
