"""The tables, indexes and views of the game file, in SQL.

Open this to see what a column holds; ``docs/game-file.md`` describes the same tables for people who
read the file with another tool.  The statements are those of the version of the file that brought
them: :mod:`alexmagnum.game.migrations` runs them in order, and changes what they made.  They are
written in SQL, because SQLite keeps their comments and shows them to whoever asks for the schema.
"""

from __future__ import annotations

APPLICATION_ID = 0x414C584D
"""``ALXM``, the mark in the header that distinguishes a game from any other SQLite file."""

FIRST_TABLES = """
CREATE TABLE phases (
    id INTEGER PRIMARY KEY,
    parent INTEGER REFERENCES outcomes(id),  -- the outcome that led here; NULL: the first
    name TEXT NOT NULL,                      -- 318-autumn
    kind TEXT NOT NULL,                      -- picks, deployment, movement, retreats, winter, over
    year INTEGER NOT NULL,
    season TEXT NOT NULL,
    state TEXT NOT NULL,                     -- open, closed, undone, superseded
    opened TEXT NOT NULL,
    deadline TEXT NOT NULL DEFAULT ''
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    map TEXT NOT NULL,
    map_source TEXT NOT NULL,
    map_digest TEXT NOT NULL,
    map_text TEXT NOT NULL,                  -- the game plays on this copy
    created TEXT NOT NULL,
    head INTEGER REFERENCES phases(id),      -- the open phase; its parents are the game's line
    seconds_left INTEGER                     -- while the clock is stopped; NULL: it runs
);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE powers (
    id TEXT PRIMARY KEY,
    place INTEGER NOT NULL,
    name_it TEXT NOT NULL,
    name_en TEXT NOT NULL,
    color TEXT NOT NULL
);
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    power TEXT NOT NULL REFERENCES powers(id),
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    lang TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,                     -- '' while they still play
    absent_from TEXT NOT NULL,
    absent_until TEXT NOT NULL,
    note TEXT NOT NULL
);
CREATE TABLE outcomes (
    id INTEGER PRIMARY KEY,
    phase INTEGER NOT NULL REFERENCES phases(id),
    version INTEGER NOT NULL,
    state TEXT NOT NULL,                     -- processed, passed, undone, superseded
    passed INTEGER NOT NULL,                 -- 1: nobody had anything to decide
    processed TEXT NOT NULL,
    rules TEXT NOT NULL,                     -- the switches in force, JSON
    amends INTEGER REFERENCES outcomes(id),  -- the outcome that it replaced
    digest TEXT NOT NULL
);
CREATE TABLE positions (
    phase INTEGER PRIMARY KEY REFERENCES phases(id),
    data TEXT NOT NULL,                      -- a turn file, JSON
    digest TEXT NOT NULL
);
CREATE TABLE units (
    phase INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    kind TEXT NOT NULL,
    province TEXT NOT NULL,
    coast TEXT NOT NULL,
    number INTEGER NOT NULL,
    dislodged_by TEXT NOT NULL,              -- '' for a unit on the board
    retreats TEXT NOT NULL
);
CREATE TABLE centres (
    phase INTEGER NOT NULL REFERENCES phases(id),
    centre TEXT NOT NULL,
    power TEXT NOT NULL,
    PRIMARY KEY (phase, centre)
);
CREATE TABLE nobility (
    phase INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL REFERENCES powers(id),
    points INTEGER NOT NULL,
    PRIMARY KEY (phase, power)
);
CREATE TABLE mail (
    id INTEGER PRIMARY KEY,
    phase INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL REFERENCES powers(id),
    source TEXT NOT NULL,
    received TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY,
    phase INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL REFERENCES powers(id),
    number INTEGER NOT NULL,                 -- counts the submissions of the power for the phase
    kind TEXT NOT NULL,                      -- mail, ahead (sent before), amend, clear
    mail INTEGER REFERENCES mail(id),
    received TEXT NOT NULL,
    effective TEXT NOT NULL,                 -- the orders that count from now on, JSON
    missing TEXT NOT NULL,                   -- JSON
    replaces INTEGER NOT NULL,
    salt TEXT NOT NULL,
    digest TEXT NOT NULL
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    submission INTEGER NOT NULL REFERENCES submissions(id),
    text TEXT NOT NULL,
    canonical TEXT NOT NULL,
    verdict TEXT NOT NULL,
    code TEXT NOT NULL,
    data TEXT NOT NULL,                      -- JSON
    ahead TEXT NOT NULL
);
CREATE TABLE resolved (
    id INTEGER PRIMARY KEY,
    outcome INTEGER NOT NULL REFERENCES outcomes(id),
    power TEXT NOT NULL,
    unit TEXT NOT NULL,
    canonical TEXT NOT NULL,                 -- the order; '' for a unit that had none
    result TEXT NOT NULL,
    code TEXT NOT NULL,
    strength INTEGER NOT NULL,               -- -1: nothing was compared
    against INTEGER NOT NULL,
    sentence_it TEXT NOT NULL,
    sentence_en TEXT NOT NULL
);
CREATE TABLE seals (
    outcome INTEGER NOT NULL REFERENCES outcomes(id),
    power TEXT NOT NULL REFERENCES powers(id),
    salt TEXT NOT NULL,                      -- '' for a power that sent nothing
    digest TEXT NOT NULL,
    orders TEXT NOT NULL,                    -- the sealed orders, JSON
    added TEXT NOT NULL,                     -- orders that a house rule added, JSON
    PRIMARY KEY (outcome, power)
);
CREATE TABLE moves (
    id INTEGER PRIMARY KEY,
    action TEXT NOT NULL,                    -- process, amend
    state TEXT NOT NULL,                     -- done, undone, dropped
    source INTEGER NOT NULL REFERENCES phases(id),
    target INTEGER NOT NULL REFERENCES phases(id),
    rules_before TEXT NOT NULL,              -- the switches that changed, JSON
    rules_after TEXT NOT NULL
);
CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    phase TEXT NOT NULL,
    place TEXT NOT NULL,                     -- before, after
    text TEXT NOT NULL,
    written TEXT NOT NULL
);
CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    phase TEXT NOT NULL,
    power TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL                     -- JSON
);
"""

INDEXES = """
CREATE INDEX units_phase ON units (phase);
CREATE INDEX mail_phase ON mail (phase, power);
CREATE INDEX submissions_phase ON submissions (phase, power);
CREATE INDEX orders_submission ON orders (submission);
CREATE INDEX resolved_outcome ON resolved (outcome);
CREATE INDEX resolved_unit ON resolved (unit);
CREATE INDEX outcomes_phase ON outcomes (phase);
CREATE INDEX phases_parent ON phases (parent);
"""

VIEWS = {
    "line": """
        WITH RECURSIVE back(id) AS (
            SELECT head FROM games
            UNION ALL
            SELECT outcomes.phase FROM back
            JOIN phases ON phases.id = back.id
            JOIN outcomes ON outcomes.id = phases.parent
        )
        SELECT phases.*, following.parent AS outcome
        FROM back
        JOIN phases ON phases.id = back.id
        LEFT JOIN phases AS following
            ON following.parent IN (SELECT id FROM outcomes WHERE phase = phases.id)
            AND following.id IN (SELECT id FROM back)
        ORDER BY phases.id""",
    "results": """
        SELECT line.name AS phase, outcomes.version, resolved.power, resolved.unit,
            resolved.canonical AS "order", resolved.result, resolved.sentence_it,
            resolved.sentence_en
        FROM line
        JOIN outcomes ON outcomes.id = line.outcome
        JOIN resolved ON resolved.outcome = outcomes.id
        ORDER BY resolved.id""",
}
"""Views of the current line of the game: nothing in them was undone or amended."""


TABLES = (
    "powers",
    "settings",
    "players",
    "phases",
    "outcomes",
    "games",
    "positions",
    "units",
    "centres",
    "nobility",
    "mail",
    "submissions",
    "orders",
    "resolved",
    "seals",
    "undo_log",
    "texts",
    "journal",
    "messages",
    "codes",
    "press",
    "votes",
    "letters",
    "letter_outcomes",
    "pieces",
    "attachments",
    "attachment_pieces",
    "letter_attachments",
    "standby",
    "gm_letters",
    "endings",
)
"""Every table of a file that is up to date, in the order in which an export lists them."""


MAIL_TABLES = """
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,                -- its Message-ID, else a digest
    raw BLOB NOT NULL,                       -- as it came
    origin TEXT NOT NULL,                    -- the file or mailbox it was read from
    received TEXT NOT NULL,                  -- when our own server had it
    fetched TEXT NOT NULL,
    sender TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,                     -- new, taken, waiting, rejected, aside
    why TEXT NOT NULL,                       -- JSON
    power TEXT NOT NULL,                     -- '' while nobody knows who wrote it
    phase TEXT NOT NULL,                     -- the phase for which it was taken
    mail INTEGER REFERENCES mail(id)         -- its orders
);
CREATE TABLE codes (
    power TEXT NOT NULL REFERENCES powers(id),
    phase TEXT NOT NULL,
    code TEXT NOT NULL UNIQUE,
    PRIMARY KEY (power, phase)
);
CREATE TABLE outgoing (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,                -- each key is written and sent once
    kind TEXT NOT NULL,
    power TEXT NOT NULL,
    phase TEXT NOT NULL,
    address TEXT NOT NULL,
    message_id TEXT NOT NULL,
    raw BLOB NOT NULL,
    state TEXT NOT NULL,                     -- draft, sending, sent, uncertain, dropped
    created TEXT NOT NULL,
    sent TEXT NOT NULL,                      -- '' until then
    attempts INTEGER NOT NULL,
    error TEXT NOT NULL,
    answers INTEGER REFERENCES messages(id)
);
CREATE TABLE press (
    id INTEGER PRIMARY KEY,
    phase TEXT NOT NULL,
    sender TEXT NOT NULL REFERENCES powers(id),
    readers TEXT NOT NULL,                   -- JSON
    manner TEXT NOT NULL,                    -- signed, anonymous
    text TEXT NOT NULL,
    message INTEGER REFERENCES messages(id), -- the message it was in
    state TEXT NOT NULL,                     -- held, relayed, published, dropped
    written TEXT NOT NULL
);
CREATE TABLE votes (
    phase TEXT NOT NULL,
    power TEXT NOT NULL REFERENCES powers(id),
    vote TEXT NOT NULL,                      -- wait, ready, draw, concede
    at TEXT NOT NULL,
    PRIMARY KEY (phase, power, vote)
);
CREATE INDEX messages_state ON messages (state);
CREATE INDEX messages_power ON messages (power, state, received);
CREATE INDEX outgoing_state ON outgoing (state);
CREATE INDEX outgoing_power ON outgoing (power);
CREATE INDEX press_phase ON press (phase);
"""


LETTER_TABLES = """
CREATE TABLE pieces (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,             -- of the bytes before compression
    compressed INTEGER NOT NULL CHECK (compressed IN (0, 1)),  -- 1: zlib
    data BLOB NOT NULL
);
CREATE TABLE attachments (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,                      -- image/png
    size INTEGER NOT NULL                    -- bytes
);
CREATE TABLE attachment_pieces (
    attachment INTEGER NOT NULL REFERENCES attachments(id),
    place INTEGER NOT NULL,                  -- the pieces in this order are the file
    piece INTEGER NOT NULL REFERENCES pieces(id),
    PRIMARY KEY (attachment, place)
);
CREATE TABLE letters (
    id INTEGER PRIMARY KEY,
    occasion TEXT NOT NULL CHECK (occasion IN ('report', 'retraction', 'opening', 'deadline',
        'reminder', 'press', 'answer', 'receipt', 'warning')),
    power TEXT NOT NULL REFERENCES powers(id),
    phase TEXT NOT NULL,                     -- its name; the letter carries the code of this phase
    address TEXT NOT NULL,
    opened INTEGER REFERENCES phases(id),    -- opening, reminder: the phase that was open
    act INTEGER REFERENCES journal(id),      -- deadline: the act that changed it
    day TEXT NOT NULL DEFAULT '',            -- reminder: the day on which it was due
    answers INTEGER REFERENCES messages(id), -- answer: the message
    seal TEXT NOT NULL DEFAULT '',           -- receipt: the digest that seals the orders
    press INTEGER REFERENCES press(id),
    times INTEGER NOT NULL DEFAULT 0,        -- letters about the same that the player had before
    message_id TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('draft', 'sending', 'sent', 'uncertain', 'dropped')),
    created TEXT NOT NULL,
    sent TEXT NOT NULL DEFAULT '',           -- '' until then
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',          -- JSON
    source BLOB NOT NULL,                    -- zlib; the mail without the files in it
    size INTEGER NOT NULL,                   -- bytes of the mail with the files in it
    sha256 TEXT NOT NULL,                    -- of these bytes
    CHECK (opened IS NULL OR occasion IN ('opening', 'reminder')),
    CHECK (act IS NULL OR occasion = 'deadline'),
    CHECK (day = '' OR occasion = 'reminder'),
    CHECK (answers IS NULL OR occasion = 'answer'),
    CHECK (seal = '' OR occasion = 'receipt'),
    CHECK (press IS NULL OR occasion = 'press')
);
CREATE TABLE letter_outcomes (
    letter INTEGER NOT NULL REFERENCES letters(id),    -- a report or a retraction
    outcome INTEGER NOT NULL REFERENCES outcomes(id),
    PRIMARY KEY (letter, outcome)
);
CREATE TABLE letter_attachments (
    letter INTEGER NOT NULL REFERENCES letters(id),
    place INTEGER NOT NULL,
    name TEXT NOT NULL,                      -- map-322-spring.png
    cid TEXT NOT NULL DEFAULT '',            -- the name by which the page shows it
    attachment INTEGER NOT NULL REFERENCES attachments(id),
    at INTEGER,                              -- the byte of the source where its base64 stands
                                             -- (NULL: it is put in when the letter is sent)
    line_end TEXT NOT NULL DEFAULT '' CHECK (line_end IN ('', 'LF', 'CRLF')),
    PRIMARY KEY (letter, place)
);
CREATE INDEX letters_state ON letters (state);
CREATE INDEX letters_power ON letters (power, occasion);
CREATE UNIQUE INDEX letters_opening ON letters (opened, power, address, times)
    WHERE occasion = 'opening';
CREATE UNIQUE INDEX letters_deadline ON letters (act, power, address, times)
    WHERE occasion = 'deadline';
CREATE UNIQUE INDEX letters_reminder ON letters (opened, day, power, address, times)
    WHERE occasion = 'reminder';
CREATE UNIQUE INDEX letters_press ON letters (press, power, times) WHERE occasion = 'press';
CREATE UNIQUE INDEX letters_answer ON letters (answers, times) WHERE occasion = 'answer';
CREATE UNIQUE INDEX letters_receipt ON letters (seal, power, times) WHERE occasion = 'receipt';
CREATE UNIQUE INDEX letters_warning ON letters (phase, power, times) WHERE occasion = 'warning';
CREATE INDEX letter_outcomes_outcome ON letter_outcomes (outcome);
CREATE INDEX letter_attachments_attachment ON letter_attachments (attachment);
"""
"""The subject of a letter in columns; the files that go with letters, each kept once."""


STANDBY_TABLE = """
CREATE TABLE standby (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    other_addresses TEXT NOT NULL,           -- JSON
    lang TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,                     -- '' while they are on the list
    power TEXT NOT NULL,                     -- the power that they took over, '' for none
    note TEXT NOT NULL
);
"""

LETTERS_TO_ANYBODY = """
CREATE TABLE letters (
    id INTEGER PRIMARY KEY,
    occasion TEXT NOT NULL,                  -- report, retraction, opening, welcome, letter, ...
    power TEXT NOT NULL,                     -- '' for a letter to somebody who plays no power
    standby INTEGER REFERENCES standby(id),  -- a letter to somebody on the standby list
    phase TEXT NOT NULL,                     -- its name; the letter carries the code of this phase
    address TEXT NOT NULL,
    opened INTEGER REFERENCES phases(id),    -- opening, reminder, welcome: the phase that was open
    act INTEGER REFERENCES journal(id),      -- the act that it tells of: deadline, welcome, letter
    day TEXT NOT NULL DEFAULT '',            -- reminder: the day on which it was due
    answers INTEGER REFERENCES messages(id), -- answer: the message
    seal TEXT NOT NULL DEFAULT '',           -- receipt: the digest that seals the orders
    press INTEGER REFERENCES press(id),
    times INTEGER NOT NULL DEFAULT 0,        -- letters about the same that the player had before
    message_id TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('draft', 'sending', 'sent', 'uncertain', 'dropped')),
    created TEXT NOT NULL,
    sent TEXT NOT NULL DEFAULT '',           -- '' until then
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',          -- JSON
    source BLOB NOT NULL,                    -- zlib; the mail without the files in it
    size INTEGER NOT NULL,                   -- bytes of the mail with the files in it
    sha256 TEXT NOT NULL,                    -- of these bytes
    CHECK (power = '' OR standby IS NULL)
);
"""
"""The table of letters since they can go to people who play no power, for any occasion."""


GM_LETTER_TABLES = """
CREATE TABLE gm_letters (
    id INTEGER PRIMARY KEY,
    day TEXT NOT NULL,                       -- the day in the game's time zone
    situation TEXT NOT NULL,                 -- a digest of what the game waits for
    created TEXT NOT NULL,
    address TEXT NOT NULL,
    mail BLOB NOT NULL,                      -- the mail as it goes over the wire
    state TEXT NOT NULL CHECK (state IN ('draft', 'sending', 'sent', 'dropped')),
    sent TEXT NOT NULL DEFAULT ''            -- '' until then
);
CREATE INDEX gm_letters_day ON gm_letters (day, situation);
"""
"""The letters that ``tick`` writes to the game master."""


ENDINGS_TABLE = """
CREATE TABLE endings (
    phase INTEGER PRIMARY KEY REFERENCES phases(id),  -- the row behind the last phase
    kind TEXT NOT NULL,                      -- draw, concede, solo, abandon
    powers TEXT NOT NULL,                    -- those that win or share it, JSON
    reason TEXT NOT NULL
);
"""
"""Ends that the game master declared; the rules end a game without a row here."""


GROUNDS_COLUMNS = """
ALTER TABLE letters ADD COLUMN needs_phase TEXT;
ALTER TABLE letters ADD COLUMN needs_orders TEXT;
ALTER TABLE letters ADD COLUMN needs_waiting INTEGER REFERENCES messages(id);
ALTER TABLE letters ADD COLUMN needs_deadline TEXT;
UPDATE letters SET needs_phase = phase WHERE state = 'draft'
    AND occasion IN ('answer', 'receipt', 'warning', 'reminder', 'deadline', 'opening');
UPDATE letters SET needs_orders = seal WHERE state = 'draft' AND occasion = 'receipt'
"""
"""Grounds of a letter: the phase that has to be open, the seal of the orders in force, a message
that has to wait, and the deadline ('' for none, or stopped).  NULL: it does not depend on it."""


BOT_COLUMNS = """
ALTER TABLE players ADD COLUMN bot TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN stand_in TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN secret TEXT NOT NULL DEFAULT ''
"""
"""Bots among the players: ``bot`` is the name of a bot, '' for a person who orders alone.
``stand_in`` is '' where the bot is the player, 'return' where it orders until the person does, or
the name of the phase for which alone it orders.  ``secret`` is what the chance of bots comes from;
'' until a bot plays."""
