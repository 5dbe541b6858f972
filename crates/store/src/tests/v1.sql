-- A history of schema version 1, as it was published, with one run in it. Never changed: files
-- like it are out there.
PRAGMA application_id = 1182034029;
PRAGMA user_version = 1;
CREATE TABLE run (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    host TEXT NOT NULL,
    folder TEXT NOT NULL,
    command TEXT NOT NULL,
    title TEXT NOT NULL,
    headline TEXT NOT NULL,
    outcome TEXT NOT NULL,
    fathom_version TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    searched TEXT NOT NULL
) STRICT;
CREATE INDEX run_by_start ON run(started_ms, id);
CREATE INDEX run_by_kind ON run(kind, started_ms, id);
CREATE INDEX run_by_host ON run(host, started_ms, id);
CREATE INDEX run_by_fingerprint ON run(fingerprint);

CREATE TABLE document (
    run INTEGER PRIMARY KEY REFERENCES run(seq) ON DELETE CASCADE,
    zstd BLOB NOT NULL
) STRICT;

CREATE TABLE target (
    run INTEGER NOT NULL REFERENCES run(seq) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX target_by_path ON target(path, run);

CREATE TABLE tag (
    run INTEGER NOT NULL REFERENCES run(seq) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_by_name ON tag(name, run);

CREATE VIRTUAL TABLE run_text USING fts5(
    searched, content='run', content_rowid='seq', tokenize='trigram'
);
CREATE TRIGGER run_text_insert AFTER INSERT ON run BEGIN
    INSERT INTO run_text(rowid, searched) VALUES (new.seq, new.searched);
END;
CREATE TRIGGER run_text_delete AFTER DELETE ON run BEGIN
    INSERT INTO run_text(run_text, rowid, searched) VALUES ('delete', old.seq, old.searched);
END;
CREATE TRIGGER run_text_update AFTER UPDATE OF searched ON run BEGIN
    INSERT INTO run_text(run_text, rowid, searched) VALUES ('delete', old.seq, old.searched);
    INSERT INTO run_text(rowid, searched) VALUES (new.seq, new.searched);
END;

INSERT INTO run VALUES (
    1, '1kyx9xp00007', 'measure', 1785542400000, 30125, 'worker-7', '/home/someone',
    '["fathom","measure","/mnt/data","/dev/sdb"]', 'latency, IOPS, throughput',
    '[{"label":"4 KiB random read, depth 32","key":"iops","iops":1234.5,"p99_ns":52000.0}]',
    'promise missed', '0.1.0', '00000000000000000000000000000000',
    'measure
latency, iops, throughput
worker-7
fathom
measure
/mnt/data
/dev/sdb
/mnt/data
/dev/sdb
before'
);
INSERT INTO document VALUES (1, x'28b52ffd24021100007b7dd194f27a');
INSERT INTO target VALUES (1, 0, '/mnt/data'), (1, 1, '/dev/sdb');
INSERT INTO tag VALUES (1, 'before');
