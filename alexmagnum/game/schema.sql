-- The tables of a game, their indexes, and the views.  Rows are read as the records in records.py
-- and beside their subjects (Player, Message, Mailing, ...).  docs/game-file.md describes them all.

CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    map TEXT NOT NULL,
    map_source TEXT NOT NULL,
    map_digest TEXT NOT NULL,
    map_text TEXT NOT NULL,                  -- the game plays on this copy
    created TEXT NOT NULL,
    head INTEGER REFERENCES phases(id),      -- the open phase; its parents are the game's line
    secret TEXT NOT NULL,                    -- where reply codes and the chance of bots come from
    CHECK (id = 1)
);
CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE phases (
    id INTEGER PRIMARY KEY,
    parent INTEGER REFERENCES outcomes(id),  -- the outcome that led here; NULL: the first
    name TEXT NOT NULL,                      -- 318-autumn
    kind TEXT NOT NULL,                      -- picks, deployment, movement, retreats, winter, over
    year INTEGER NOT NULL,
    season TEXT NOT NULL,
    opened TEXT NOT NULL,
    deadline TEXT NOT NULL DEFAULT '',
    seconds_left INTEGER                     -- while the clock is stopped; NULL: it runs
);
CREATE TABLE outcomes (
    id INTEGER PRIMARY KEY,
    phase INTEGER NOT NULL REFERENCES phases(id),
    version INTEGER NOT NULL,
    passed INTEGER NOT NULL,                 -- 1: nobody had anything to decide
    processed TEXT NOT NULL,
    rules TEXT NOT NULL,                     -- the switches in force, JSON
    amends INTEGER REFERENCES outcomes(id),  -- the outcome that it replaced
    digest TEXT NOT NULL
);
CREATE TABLE positions (
    phase INTEGER NOT NULL REFERENCES phases(id) PRIMARY KEY,
    data TEXT NOT NULL,                      -- a turn file, JSON
    digest TEXT NOT NULL
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
    digest TEXT NOT NULL,
    fresh TEXT NOT NULL DEFAULT ''           -- phase, all: it replaced everything sent before
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
CREATE TABLE undo_log (
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
CREATE TABLE votes (
    phase TEXT NOT NULL,
    power TEXT NOT NULL REFERENCES powers(id),
    vote TEXT NOT NULL,                      -- wait, ready, draw, concede
    powers TEXT NOT NULL,                    -- JSON; who shares the draw, or wins
    at TEXT NOT NULL,
    PRIMARY KEY (phase, power, vote)
);
CREATE TABLE endings (
    phase INTEGER NOT NULL REFERENCES phases(id) PRIMARY KEY,  -- the row behind the last phase
    kind TEXT NOT NULL,                      -- draw, concede, solo, abandon
    powers TEXT NOT NULL,                    -- those that win or share it, JSON
    reason TEXT NOT NULL
);
CREATE TABLE codes (
    power TEXT NOT NULL REFERENCES powers(id),
    phase TEXT NOT NULL,
    code TEXT NOT NULL UNIQUE,
    PRIMARY KEY (power, phase)
);
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
    answers INTEGER REFERENCES messages(id),  -- answer: the message
    seal TEXT NOT NULL DEFAULT '',           -- receipt: the digest that seals the orders
    press INTEGER REFERENCES press(id),
    times INTEGER NOT NULL DEFAULT 0,        -- letters about the same that the player had before
    message_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('draft', 'sending', 'sent', 'uncertain', 'dropped')),
    created TEXT NOT NULL,
    sent TEXT NOT NULL DEFAULT '',           -- '' until then
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',          -- JSON
    size INTEGER NOT NULL,                   -- bytes of the mail with the files in it
    sha256 TEXT NOT NULL,                    -- of these bytes
    -- JSON; what a draft rests on: the open phase, the seal of the orders, a message that
    -- waits, the deadline, the people and words that it shows
    grounds TEXT NOT NULL DEFAULT '{}',
    CHECK (power = '' OR standby IS NULL)
);
CREATE TABLE passages (
    message INTEGER NOT NULL PRIMARY KEY REFERENCES messages(id),
    power TEXT NOT NULL REFERENCES powers(id),
    urgent INTEGER NOT NULL,                 -- 1: its words ask to be read soon
    parts TEXT NOT NULL,                     -- JSON; the kind of each part, and its words
    letter INTEGER REFERENCES gm_letters(id),  -- the letter to the game master that has it
    done TEXT NOT NULL DEFAULT ''            -- when it was answered or put away; '' before
);
CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    phase TEXT NOT NULL,
    power TEXT NOT NULL,
    reason TEXT NOT NULL,
    players TEXT NOT NULL DEFAULT '',        -- changed, taken-over (a power was, after the start)
    detail TEXT NOT NULL                     -- JSON
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
    note TEXT NOT NULL,
    other_addresses TEXT NOT NULL DEFAULT '[]',  -- JSON
    bot TEXT NOT NULL DEFAULT '',            -- '' for a person who orders alone
    stand_in TEXT NOT NULL DEFAULT ''        -- '': the bot is the player; return: until the person
                                             -- orders; or the phase for which alone it orders
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,                -- its Message-ID, else a digest
    raw BLOB NOT NULL,                       -- as it came
    origin TEXT NOT NULL,                    -- the file or mailbox it was read from
    received TEXT NOT NULL,                  -- when our own server had it
    fetched TEXT NOT NULL,
    sender TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('new', 'taken', 'waiting', 'rejected', 'aside')),
    why TEXT NOT NULL,                       -- JSON
    power TEXT NOT NULL,                     -- '' while nobody knows who wrote it
    phase TEXT NOT NULL,                     -- the phase for which it was taken
    mail INTEGER REFERENCES mail(id)         -- its orders
);
CREATE TABLE press (
    id INTEGER PRIMARY KEY,
    phase TEXT NOT NULL,
    sender TEXT NOT NULL REFERENCES powers(id),
    readers TEXT NOT NULL,                   -- JSON
    manner TEXT NOT NULL,                    -- signed, anonymous
    text TEXT NOT NULL,
    message INTEGER REFERENCES messages(id),  -- the message it was in
    state TEXT NOT NULL,                     -- held, relayed, published, dropped
    written TEXT NOT NULL
);
CREATE TABLE letter_outcomes (
    letter INTEGER NOT NULL REFERENCES letters(id),    -- a report or a retraction
    outcome INTEGER NOT NULL REFERENCES outcomes(id),
    PRIMARY KEY (letter, outcome)
);
CREATE TABLE pieces (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,             -- of the bytes before compression
    data BLOB NOT NULL                       -- zlib
);
CREATE TABLE letter_pieces (
    letter INTEGER NOT NULL REFERENCES letters(id),
    waiting INTEGER NOT NULL CHECK (waiting IN (0, 1)),  -- 1: put in when the letter is sent
    place INTEGER NOT NULL,                  -- the pieces in this order are the mail
    piece INTEGER NOT NULL REFERENCES pieces(id),
    PRIMARY KEY (letter, waiting, place)
);
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
CREATE TABLE gm_letters (
    id INTEGER PRIMARY KEY,
    day TEXT NOT NULL,                       -- the day in the game's time zone
    situation TEXT NOT NULL,                 -- a digest of what the game waits for
    created TEXT NOT NULL,
    address TEXT NOT NULL,
    mail BLOB NOT NULL,                      -- the mail as it goes over the wire
    state TEXT NOT NULL CHECK (state IN ('sending', 'sent')),
    sent TEXT NOT NULL DEFAULT ''            -- '' until then
);

CREATE INDEX phases_parent ON phases (parent);
CREATE INDEX outcomes_phase ON outcomes (phase);
CREATE INDEX mail_phase ON mail (phase, power);
CREATE INDEX submissions_phase ON submissions (phase, power);
CREATE INDEX orders_submission ON orders (submission);
CREATE INDEX resolved_outcome ON resolved (outcome);
CREATE INDEX resolved_unit ON resolved (unit);
CREATE INDEX messages_state ON messages (state);
CREATE INDEX messages_power ON messages (power, state, received);
CREATE INDEX press_phase ON press (phase);
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
CREATE INDEX letter_pieces_piece ON letter_pieces (piece);
CREATE INDEX gm_letters_day ON gm_letters (day, situation);

-- Positions, row by row.
CREATE VIEW units AS
WITH listed (phase, power, unit, dislodged_by, retreats) AS (
    SELECT positions.phase, owner.key, unit.value, '', ''
    FROM positions, json_each(data, '$.units') AS owner, json_each(owner.value) AS unit
    UNION ALL
    SELECT positions.phase, json_extract(off.value, '$.power'),
        json_extract(off.value, '$.unit'), json_extract(off.value, '$.by'),
        (SELECT ifnull(group_concat(value, ', '), '')
            FROM json_each(off.value, '$.retreats'))
    FROM positions, json_each(data, '$.dislodged') AS off
), numbered AS (
    SELECT *, instr(unit || '#', '#') AS mark, instr(unit || '/', '/') AS slash
    FROM listed
)
SELECT phase, power, substr(unit, 1, 1) AS kind,
    substr(unit, 3, min(mark, slash) - 3) AS province,
    substr(unit, slash + 1, max(mark - slash - 1, 0)) AS coast,
    ifnull(CAST(nullif(substr(unit, mark + 1), '') AS INTEGER), 1) AS number,
    dislodged_by, retreats
FROM numbered;
CREATE VIEW centres AS
SELECT positions.phase, centre.value AS centre, owner.key AS power
FROM positions, json_each(data, '$.centers') AS owner, json_each(owner.value) AS centre;
CREATE VIEW nobility AS
SELECT positions.phase, points.key AS power, points.value AS points
FROM positions, json_each(data, '$.nobility') AS points;

-- What was neither undone nor amended.
CREATE VIEW line AS
WITH RECURSIVE back(id) AS (
    SELECT head FROM games
    UNION
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
ORDER BY phases.id;
CREATE VIEW results AS
SELECT line.name AS phase, outcomes.version, resolved.power, resolved.unit,
    resolved.canonical AS "order", resolved.result, resolved.sentence_it,
    resolved.sentence_en
FROM line
JOIN outcomes ON outcomes.id = line.outcome
JOIN resolved ON resolved.outcome = outcomes.id
ORDER BY resolved.id;
