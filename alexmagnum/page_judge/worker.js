/* The judge's worker: starts the Python of a page with the judge in it, and answers requests.
 *
 * It runs behind the runtime's script in one file.  It gets {start: {wasm, files, board, lang}} once
 * and {number, request} for each request; it sends {ready: true}, {failed: reason} and
 * {number, answer}, before it {number, progress} of requests that take long.  It knows no rule of the game.
 */
(() => {
  "use strict";

  /** Return data with every object as a list of its keys and values: Python's JSON there would
   * lose their order. */
  function orderKeys(value) {
    if (Array.isArray(value)) return value.map(orderKeys);
    if (value === null || typeof value !== "object") return value;
    return { "": Object.entries(value).flatMap(([key, entry]) => [key, orderKeys(entry)]) };
  }

  // -- what the library of the bundle asks of JavaScript ------------------------------------------

  globalThis.pageTexts = {
    casefold: (text) => text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ"),
    isupper: (text) => text === text.toUpperCase() && text !== text.toLowerCase(),
    islower: (text) => text === text.toLowerCase() && text !== text.toUpperCase(),
    isprintable: (text) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text),
    title: (text) =>
      text.replace(/\p{L}+/gu, (word) => word[0].toUpperCase() + word.slice(1).toLowerCase()),
    normalize: (form, text) => text.normalize(form),
    combining: (letter) => (/\p{Mn}/u.test(letter) ? 1 : 0),
  };

  const patterns = [];
  const AROUND = { whole: ["^(?:", ")$"], start: ["^(?:", ")"], first: ["", ""], all: ["", ""] };

  globalThis.pageRegex = {
    compile(source, flags) {
      const compiled = {};
      for (const [mode, [before, after]] of Object.entries(AROUND)) {
        const all = mode === "all" ? "g" : "";
        compiled[mode] = new RegExp(before + source + after, `ud${all}${flags}`);
      }
      return patterns.push(compiled) - 1;
    },
    find(number, mode, text) {
      const pattern = patterns[number][mode];
      const matches = mode === "all" ? [...text.matchAll(pattern)] : [pattern.exec(text)];
      return JSON.stringify(matches.filter(Boolean).map((match) => describeMatch(match, text)));
    },
  };

  /** Return starts, ends and texts of a match and its groups, and the last group by name. */
  function describeMatch(match, text) {
    const count = (units) => (units < 0 ? -1 : [...text.slice(0, units)].length);
    const places = match.indices.map((place) => place || [-1, -1]);
    const named = Object.entries(match.groups || {}).filter(([, found]) => found !== undefined);
    return [
      places.map(([start]) => count(start)),
      places.map(([, end]) => count(end)),
      [...match].map((part) => (part === undefined ? null : part)),
      named.length ? named[named.length - 1][0] : null,
    ];
  }

  // -- starting and answering ---------------------------------------------------------------------

  let main = null;
  let answer = null;

  function makeFolders(fs, path) {
    const parts = path.split("/").slice(1, -1);
    for (let length = 1; length <= parts.length; length += 1) {
      const folder = "/" + parts.slice(0, length).join("/");
      if (!fs.analyzePath(folder).exists) fs.mkdir(folder);
    }
  }

  async function start({ wasm, files, board, lang }) {
    globalThis.judgeWasm = wasm;
    const python = await loadMicroPython({
      heapsize: 8 << 20,
      pystack: 64 * 1024,
      url: "judge.wasm",
      stdout: () => {},
      stderr: () => {},
    });
    const texts = new Map();
    for (const [path, content] of files) {
      if (path.startsWith("text/")) {
        texts.set(path.slice(5), new TextDecoder().decode(content));
      } else {
        makeFolders(python.FS, "/" + path);
        python.FS.writeFile("/" + path, content);
      }
    }
    globalThis.pageResources = {
      list: (folder) =>
        [...texts.keys()].filter((path) => path.startsWith(folder)).sort().join("\n"),
      read: (path) => texts.get(path),
    };
    python.runPython("import sys; sys.path.insert(0, '/app'); import page_main");
    main = python.pyimport("page_main");
    main.start(JSON.stringify(orderKeys(board)), lang);
    answer = (request) => JSON.parse(main.answer(JSON.stringify(orderKeys(request))));
    globalThis.usedMemory = () => main.used_memory();
  }

  self.onmessage = async ({ data }) => {
    if (data.board) { // another map for a judge that runs
      main.start(JSON.stringify(orderKeys(data.board)), data.lang);
      self.postMessage({ ready: true });
      return;
    }
    if (data.start) {
      try {
        await start(data.start);
        self.postMessage({ ready: true });
      } catch (error) {
        self.postMessage({ failed: String((error && error.message) || error) });
      }
      return;
    }
    globalThis.showProgress = (told) => self.postMessage({ number: data.number, progress: JSON.parse(told) });
    try {
      self.postMessage({ number: data.number, answer: answer(data.request) });
    } catch (error) {
      self.postMessage({ number: data.number, failed: String((error && error.message) || error) });
    }
  };
})();
