"use strict";
// The judge in a page: starts it in a worker and asks it. docs/page-judge.md lists the requests.
//
//   const judge = pageJudge({bundle, board, lang});   bundle: the text of the bundle; board: the map as an object;
//                                                     lang: the language of sentences
//   judge.ask(request)        a promise of the answer to a request: {"op": "adjudicate", "orders": {...}}; it is refused with an
//                             Error if the judge cannot run or was stopped. Requests are answered one after the other
//   judge.ask(request, hear)  the same; calls hear with what is known before the answer, of requests that take long
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
  let stops = 0; // how often the judge was stopped
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

  const isSupported = () => ["WebAssembly", "Worker", "Blob", "FinalizationRegistry", "WeakRef"]
    .every((name) => typeof globalThis[name] !== "undefined");

  // Nothing is drawn while the bundle is unpacked, so that the page is drawn before; in the background none is.
  const drawn = () => new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 500);
  });

  const unpack = async () => {
    await drawn();
    const content = unpackBundle(bundle);
    let at = 4 + new DataView(content.buffer).getUint32(0, true);
    const list = JSON.parse(new TextDecoder().decode(content.subarray(4, at)));
    return new Map(list.map(([path, length]) => {
      at += length;
      return [path, content.slice(at - length, at)];
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
      } else if ("progress" in data) {
        const request = waiting.get(data.number);
        if (request) request.hear(data.progress);
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
    const before = stops;
    parts ||= unpack();
    let files;
    try {
      files = await parts;
      if (!files.has("worker.js") || !files.has("judge.wasm")) throw new Error("files are missing");
    } catch (error) {
      fail("broken", String(error));
      throw error;
    }
    if (before !== stops) throw new Error(STOPPED);
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

  const ask = async (request, hear = () => {}) => {
    await run();
    const mine = ++number;
    return new Promise((resolve, reject) => {
      waiting.set(mine, { resolve, reject, hear });
      worker.postMessage({ number: mine, request });
    });
  };

  const stop = () => {
    if (worker) worker.terminate();
    worker = null;
    started = null;
    stops += 1;
    if (abandon) abandon(new Error(STOPPED));
    refuse(STOPPED);
  };

  const failed = (hear) => {
    if (reason) hear(reason);
    else hearers.push(hear);
  };

  return { ask, stop, failed, ready: new Promise((resolve) => { run().then(resolve, () => {}); }) };
};

// unpackBundle(text): the bytes of the bundle; throws an Error if the text is damaged. The text is bytes in 85 signs, five for
// four bytes; the bytes are LZMA. Our own: browsers unpack gzip alone, which makes a sixth more of it. tools/page_judge/pack.py
// packs.
const unpackBundle = (text) => {
  const SIGNS = [...Array(93).keys()].map((code) => String.fromCharCode(code + 33)).filter((sign) => !"\"&'/<>\\`".includes(sign));
  const DAMAGED = "the bundle is damaged";
  const CONTEXT_BITS = 3; // the bits of the last byte that a literal depends on (lc); lp and pb are 0
  const MATCH_STATES = 7; // states from which on the last step was a match

  const toBytes = () => {
    const values = new Uint8Array(128).fill(255);
    SIGNS.forEach((sign, value) => { values[sign.charCodeAt(0)] = value; });
    const bytes = new Uint8Array((text.length / 5) * 4);
    for (let i = 0, at = 0; i < text.length; i += 5, at += 4) {
      let number = 0;
      for (let j = i; j < i + 5; j += 1) {
        const value = values[text.charCodeAt(j)];
        if (!(value < 85)) throw new Error(DAMAGED);
        number = number * 85 + value;
      }
      bytes[at] = number >>> 24;
      bytes[at + 1] = number >>> 16;
      bytes[at + 2] = number >>> 8;
      bytes[at + 3] = number;
    }
    return bytes;
  };

  if (!text || text.length % 5) throw new Error(DAMAGED);
  const input = toBytes();
  const size = new DataView(input.buffer).getUint32(0);
  if (size > 1 << 25) throw new Error(DAMAGED);
  const output = new Uint8Array(size);
  let next = 9; // behind the size and the coder's first five bytes
  let range = 0xffffffff;
  let code = new DataView(input.buffer).getUint32(5);

  const chances = (count) => new Uint16Array(count).fill(1024);

  const readBit = (table, at) => {
    const bound = (range >>> 11) * table[at];
    let bit = 0;
    if (code < bound) {
      range = bound;
      table[at] += (2048 - table[at]) >>> 5;
    } else {
      range -= bound;
      code -= bound;
      table[at] -= table[at] >>> 5;
      bit = 1;
    }
    if (range < 0x1000000) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | input[next]) >>> 0;
      next += 1;
    }
    return bit;
  };

  const readEvenBits = (count) => {
    let value = 0;
    for (let i = 0; i < count; i += 1) {
      range >>>= 1;
      let bit = 0;
      if (code >= range) {
        code -= range;
        bit = 1;
      }
      value = value * 2 + bit;
      if (range < 0x1000000) {
        range = (range << 8) >>> 0;
        code = ((code << 8) | input[next]) >>> 0;
        next += 1;
      }
    }
    return value;
  };

  const readTree = (table, from, bits) => {
    let node = 1;
    for (let i = 0; i < bits; i += 1) node = (node << 1) | readBit(table, from + node);
    return node - (1 << bits);
  };

  const readReversed = (table, from, bits) => {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i += 1) {
      const bit = readBit(table, from + node);
      node = (node << 1) | bit;
      value |= bit << i;
    }
    return value;
  };

  const makeLengths = () => ({ choice: chances(2), low: chances(8), middle: chances(8), high: chances(256) });

  const readLength = (lengths) => {
    if (!readBit(lengths.choice, 0)) return 2 + readTree(lengths.low, 0, 3);
    if (!readBit(lengths.choice, 1)) return 10 + readTree(lengths.middle, 0, 3);
    return 18 + readTree(lengths.high, 0, 8);
  };

  const literals = chances(0x300 << CONTEXT_BITS);
  const isMatch = chances(12);
  const isRepeat = chances(12);
  const isOlder = [chances(12), chances(12), chances(12)];
  const isLong = chances(12);
  const slots = chances(4 * 64);
  const special = chances(128);
  const aligned = chances(16);
  const matchLengths = makeLengths();
  const repeatLengths = makeLengths();
  const last = [0, 0, 0, 0]; // the distances of the last matches
  let state = 0;
  let at = 0;

  const readLiteral = () => {
    const from = 0x300 * (at ? output[at - 1] >> (8 - CONTEXT_BITS) : 0);
    let node = 1;
    if (state >= MATCH_STATES) {
      let expected = output[at - last[0] - 1];
      while (node < 256) {
        const likely = (expected >> 7) & 1;
        expected <<= 1;
        const bit = readBit(literals, from + ((1 + likely) << 8) + node);
        node = (node << 1) | bit;
        if (bit !== likely) break;
      }
    }
    while (node < 256) node = (node << 1) | readBit(literals, from + node);
    output[at] = node;
    at += 1;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };

  const readDistance = (length) => {
    const slot = readTree(slots, Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const start = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return start + readReversed(special, start - slot, bits);
    return start + readEvenBits(bits - 4) * 16 + readReversed(aligned, 0, 4);
  };

  /** Reads which of the last distances is meant; returns the length of what is repeated. */
  const readRepeat = () => {
    if (!readBit(isOlder[0], state)) {
      if (!readBit(isLong, state)) {
        state = state < MATCH_STATES ? 9 : 11;
        return 1;
      }
    } else {
      const which = !readBit(isOlder[1], state) ? 1 : !readBit(isOlder[2], state) ? 2 : 3;
      last.unshift(...last.splice(which, 1));
    }
    const length = readLength(repeatLengths);
    state = state < MATCH_STATES ? 8 : 11;
    return length;
  };

  const readMatch = () => {
    const length = readLength(matchLengths);
    last.unshift(readDistance(length));
    last.pop();
    state = state < MATCH_STATES ? 7 : 10;
    return length;
  };

  while (at < size) {
    if (!readBit(isMatch, state)) {
      readLiteral();
    } else {
      const length = readBit(isRepeat, state) ? readRepeat() : readMatch();
      const from = at - last[0] - 1;
      if (from < 0 || at + length > size || next > input.length + 4) throw new Error(DAMAGED);
      for (let i = 0; i < length; i += 1) output[at + i] = output[from + i];
      at += length;
    }
  }
  return output;
};
