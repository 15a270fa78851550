-- The tables of a game whose rows are read only in part, or as values of the modules that keep
-- them; the indexes of all tables; and the views.  The other tables are made from the records of
-- their rows (records.py).  docs/game-file.md describes all of them.

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
    state TEXT NOT NULL,                     -- new, taken, waiting, rejected, aside
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
    message INTEGER REFERENCES messages(id), -- the message it was in
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
