// What players do, by the page they do it on: with a finger, with the mouse, and with keys alone.
// The pages of other kinds than lessons, replay and phases are in Italian.

export const tasks = {
  // Orders on the map and from the list, the mail, the judge, what is sure.
  "sheet.html": async (hand) => {
    await hand.order("A MEN", { verb: "Muove", place: "TEB", name: "Tebe" });
    await hand.order("A NOC", { verb: "Tiene" });
    await hand.see("#text", "A NOC H\nA MEN - TEB");
    await hand.press("[data-subject='F PAN']");
    await hand.press("#choices button | Tiene");
    await hand.see("#mail", "mailto:arbitro@.*F%20PAN%20H");
    await hand.press("#copy");
    await hand.see("#status", "Copiat");
    await hand.press("#try");
    await hand.see("#table-orders .why", ".");
    await hand.see("#verdict", "\\d");
    await hand.press("#sure summary");
    if (hand.byKeys) {
      await hand.spell("#sure-place", "Licia");
    } else {
      await hand.press("#sure button | Toccalo");
      await hand.press({ province: "LIC" });
    }
    await hand.press("#sure button | Prenderlo");
    await hand.press("#sure .ask | piano sicuro");
    await hand.see("#sure progress");
    await hand.see("#sure .plan [role=status]", "^(Sì|Nessun piano|Non si sa)");
  },

  // A report that is pasted, units by brush and by drag, orders, a link and a picture.
  "sandbox.html": async (hand, report) => {
    await hand.press("#tab-share");
    await hand.fill("#text", report);
    await hand.press("#open-text");
    await hand.see("#share-said", "Apert");
    await hand.see("#text", "alexmagnum");
    await hand.press("#tab-setup");
    await hand.press("#setup-clear");
    await hand.see("#board:not(:has(.order))");
    if (hand.byKeys) {
      await hand.spell("#setup-find", "Menfi");
      await hand.press("#setup-find");
      await hand.press("#setup-choices button | Tolomeo");
      await hand.press("#setup-choices button | Armata");
    } else {
      await hand.press("#setup-brush button | Armata");
      await hand.press("#setup-brush button | Tolomeo");
      await hand.press({ slot: "TEB" });
      await hand.drag({ unit: "A TEB" }, { slot: "MEN" });
    }
    await hand.see("#board .unit[data-unit='A MEN']");
    await hand.press("#tab-play");
    await hand.see("#verdict", ".");
    if (hand.byKeys) await choose(hand, "Muove", "Tebe"); // for the only unit there is
    else await hand.drag({ unit: "A MEN" }, { slot: "TEB" });
    await hand.see("#table-orders code", "A MEN - TEB");
    await hand.see("#table-orders .why", ".");
    await hand.press("#tab-share");
    await hand.see("#text", "A MEN - TEB");
    await hand.press("#copy-link");
    await hand.see("#share-said", "copiato");
    await hand.press("#save-png");
    await hand.see("#share-said", "immagine");
  },

  // The first lesson.
  "learn.html": async (hand) => {
    await (hand.byKeys ? choose(hand, "Moves", "Alexandria") : hand.press({ province: "ALE" }));
    await hand.press(".judge-it");
    await hand.see("#verdict", "Done!");
  },

  "replay.html": async (hand) => {
    await enlarge(hand);
    await hand.press("[data-step='-1']");
    await hand.press("[data-step='-1']");
    await hand.press("[data-step='1']");
    await hand.see(".map .order");
  },

  "phases/322-spring.html": async (hand) => {
    await enlarge(hand);
    await hand.press(".orders .line a");
    await hand.see(".told", ".");
    await hand.follow(".turning [rel=next]");
    await hand.see("h1", "Autumn 322");
  },
};

async function enlarge(hand) {
  await hand.press("[data-zoom=whole]");
  await hand.see(".map:not(.enlarged)");
  await hand.press("[data-zoom=in]");
  await hand.see(".map.enlarged");
}

async function choose(hand, ...words) {
  for (const word of words) await hand.press(`#choices button | ${word}`);
}
