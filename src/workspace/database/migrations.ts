/** One migration step of the database. Steps are only ever added: a file may have any earlier version. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/**
 * Times are milliseconds since 1970, booleans 0 or 1, structured values JSON text. Only STRICT is specific to SQLite, so that the
 * same tables work in PostgreSQL.
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`,

      `CREATE TABLE customer (id TEXT PRIMARY KEY, name TEXT, phone TEXT UNIQUE, email TEXT UNIQUE, language TEXT,
        fields TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
      `CREATE INDEX customer_newest ON customer (created_at, id)`,

      `CREATE TABLE channel (id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE,
        connected INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT`,
      `CREATE TABLE workgroup (id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE) STRICT`,
      `CREATE TABLE agent (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE) STRICT`,
      `CREATE TABLE agent_workgroup (agent_id TEXT NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
        workgroup_id TEXT NOT NULL REFERENCES workgroup (id) ON DELETE CASCADE, PRIMARY KEY (agent_id, workgroup_id)) STRICT`,

      `CREATE TABLE conversation (id TEXT PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customer (id),
        channel_id TEXT NOT NULL REFERENCES channel (id), status TEXT NOT NULL, inbox INTEGER NOT NULL,
        agent_id TEXT REFERENCES agent (id), workgroup_id TEXT REFERENCES workgroup (id), fields TEXT NOT NULL,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, last_message_at INTEGER, activity_at INTEGER NOT NULL,
        event_count INTEGER NOT NULL, UNIQUE (customer_id, channel_id)) STRICT`,
      `CREATE INDEX conversation_inbox ON conversation (inbox, activity_at, id)`,
      `CREATE INDEX conversation_activity ON conversation (activity_at, id)`,

      `CREATE TABLE message (id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES conversation (id),
        direction TEXT NOT NULL, author_type TEXT NOT NULL, author_id TEXT, text TEXT, media TEXT, template TEXT,
        quick_replies TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT`,
      `CREATE INDEX message_oldest ON message (conversation_id, created_at, id)`,

      `CREATE TABLE template (id TEXT PRIMARY KEY, name TEXT NOT NULL, language TEXT NOT NULL, category TEXT NOT NULL,
        status TEXT NOT NULL, definition TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        UNIQUE (name, language)) STRICT`,
      `CREATE TABLE media (id TEXT PRIMARY KEY, file_name TEXT NOT NULL, content_type TEXT NOT NULL, bytes INTEGER NOT NULL,
        sha256 TEXT, expires_at INTEGER NOT NULL, created_at INTEGER NOT NULL, uploaded_at INTEGER) STRICT`,

      `CREATE TABLE store_entry (app TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires_at INTEGER,
        PRIMARY KEY (app, key)) STRICT`,
      `CREATE INDEX store_expiry ON store_entry (app, expires_at) WHERE expires_at IS NOT NULL`,
      `CREATE TABLE secret (app TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, updated_at INTEGER NOT NULL,
        PRIMARY KEY (app, name)) STRICT`,
      `CREATE TABLE variable (app TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, updated_at INTEGER NOT NULL,
        PRIMARY KEY (app, name)) STRICT`,
      `CREATE TABLE token (id TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL,
        created_at INTEGER NOT NULL, last_used_at INTEGER, revoked_at INTEGER) STRICT`,

      `CREATE TABLE app (app TEXT PRIMARY KEY, built_in INTEGER NOT NULL, installed INTEGER NOT NULL,
        settings TEXT NOT NULL, version TEXT, functions INTEGER NOT NULL, live TEXT, installed_at INTEGER) STRICT`,
      `CREATE TABLE deployment (id TEXT PRIMARY KEY, app TEXT NOT NULL, fingerprint TEXT NOT NULL, state TEXT NOT NULL,
        base_version TEXT, message TEXT, commit_sha TEXT, committed_at TEXT, ancestors TEXT, manifest TEXT NOT NULL,
        functions INTEGER NOT NULL, created_by TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
        activated_at INTEGER, activation INTEGER) STRICT`,
      `CREATE INDEX deployment_newest ON deployment (app, created_at, id)`,
      `CREATE TABLE deployment_file (deployment_id TEXT NOT NULL REFERENCES deployment (id) ON DELETE CASCADE,
        sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (deployment_id, sha256)) STRICT`,
      `CREATE INDEX deployment_file_hash ON deployment_file (sha256)`,
      `CREATE TABLE blob (sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL, kept_from INTEGER NOT NULL) STRICT`,

      `CREATE TABLE pack (id TEXT PRIMARY KEY, name TEXT NOT NULL, quarters INTEGER NOT NULL,
        quarters_left INTEGER NOT NULL CHECK (quarters_left >= 0), created_at INTEGER NOT NULL, position INTEGER NOT NULL UNIQUE) STRICT`,
      `CREATE TABLE pack_entry (id TEXT PRIMARY KEY, kind TEXT NOT NULL, quarters INTEGER NOT NULL, note TEXT,
        packs TEXT NOT NULL, balance_after INTEGER NOT NULL CHECK (balance_after >= 0), at INTEGER NOT NULL,
        position INTEGER NOT NULL UNIQUE) STRICT`,

      `CREATE TABLE invocation (id TEXT PRIMARY KEY, app TEXT NOT NULL, function TEXT NOT NULL, type TEXT NOT NULL,
        version TEXT NOT NULL, trigger_kind TEXT NOT NULL, caller_type TEXT NOT NULL, caller_id TEXT, status TEXT NOT NULL,
        started_at INTEGER NOT NULL, wall_ms REAL NOT NULL, cpu_ms REAL NOT NULL, peak_memory_bytes INTEGER NOT NULL,
        error TEXT, input TEXT NOT NULL, result TEXT, calls TEXT NOT NULL) STRICT`,
      `CREATE INDEX invocation_function ON invocation (app, function, started_at, id)`,
      `CREATE INDEX invocation_newest ON invocation (started_at, id)`,
      `CREATE TABLE log_line (seq INTEGER PRIMARY KEY AUTOINCREMENT, invocation_id TEXT NOT NULL, app TEXT NOT NULL,
        function TEXT NOT NULL, at INTEGER NOT NULL, level TEXT NOT NULL, text TEXT NOT NULL) STRICT`,
      `CREATE INDEX log_line_invocation ON log_line (invocation_id)`,
      `CREATE INDEX log_line_app ON log_line (app, seq)`,

      `CREATE TABLE idempotency (scope TEXT NOT NULL, key_hash TEXT NOT NULL, fingerprint TEXT NOT NULL, answer TEXT,
        at INTEGER NOT NULL, PRIMARY KEY (scope, key_hash)) STRICT`,
      `CREATE INDEX idempotency_age ON idempotency (at)`,
      `CREATE TABLE journal (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL,
        actor_type TEXT NOT NULL, actor_id TEXT, conversation_id TEXT, sequence INTEGER, data TEXT NOT NULL, previous TEXT,
        operation TEXT NOT NULL, invocation_id TEXT) STRICT`,
    ],
  },
  {
    version: 2,
    statements: [
      'ALTER TABLE journal ADD COLUMN trace_id TEXT',
      'ALTER TABLE journal ADD COLUMN cause_id TEXT',
      'ALTER TABLE journal ADD COLUMN depth INTEGER NOT NULL DEFAULT 0',
      'CREATE INDEX journal_id ON journal (id)',
      'CREATE INDEX journal_trace ON journal (trace_id)',
      'ALTER TABLE message ADD COLUMN trace_id TEXT',
      'ALTER TABLE message ADD COLUMN cause_id TEXT',
      'CREATE INDEX message_trace ON message (trace_id)',
      'ALTER TABLE invocation ADD COLUMN trace_id TEXT',
      'ALTER TABLE invocation ADD COLUMN cause_id TEXT',
      'CREATE INDEX invocation_trace ON invocation (trace_id)',

      `CREATE TABLE job (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, key TEXT UNIQUE,
        lane TEXT, holds_lane INTEGER NOT NULL, group_key TEXT, state TEXT NOT NULL, due INTEGER NOT NULL, fixed INTEGER NOT NULL,
        attempt INTEGER NOT NULL, payload TEXT NOT NULL, outcome TEXT, node TEXT, epoch INTEGER NOT NULL, lease_until INTEGER,
        trace_id TEXT NOT NULL, cause_id TEXT, depth INTEGER NOT NULL, created_at INTEGER NOT NULL, ended_at INTEGER) STRICT`,
      `CREATE INDEX job_due ON job (kind, due, seq) WHERE state = 'waiting'`,
      `CREATE INDEX job_lane ON job (lane, seq) WHERE lane IS NOT NULL AND ended_at IS NULL`,
      `CREATE INDEX job_leased ON job (node) WHERE state = 'leased'`,
      'CREATE INDEX job_ended ON job (ended_at) WHERE ended_at IS NOT NULL',
      'CREATE INDEX job_trace ON job (trace_id)',
      'CREATE TABLE node (id TEXT PRIMARY KEY, started_at INTEGER NOT NULL, beat_at INTEGER NOT NULL) STRICT',
    ],
  },
  {
    version: 3,
    statements: [
      'ALTER TABLE journal ADD COLUMN deliver_to TEXT',
      'ALTER TABLE journal ADD COLUMN synthetic INTEGER NOT NULL DEFAULT 0',
      'CREATE INDEX journal_conversation ON journal (conversation_id, seq) WHERE conversation_id IS NOT NULL',
    ],
  },
  {
    version: 4,
    statements: [
      'ALTER TABLE message ADD COLUMN quick_reply_id TEXT',
      'ALTER TABLE message ADD COLUMN error TEXT',
      `CREATE TABLE note (id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES conversation (id),
        author_type TEXT NOT NULL, author_id TEXT, text TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT`,
      'CREATE INDEX note_oldest ON note (conversation_id, created_at, id)',
    ],
  },
  {
    version: 5,
    statements: [
      // target: the address, or the app and path of a function.
      `CREATE TABLE endpoint (id TEXT PRIMARY KEY, kind TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, patterns TEXT NOT NULL,
        description TEXT, state TEXT NOT NULL, reason TEXT, disabled_at INTEGER, secret_from TEXT, old_secret_until INTEGER,
        failing_since INTEGER, failures TEXT NOT NULL, expiry_job_id TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        UNIQUE (kind, target)) STRICT`,
      'CREATE INDEX endpoint_oldest ON endpoint (created_at, id)',
      `CREATE TABLE listener (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, patterns TEXT NOT NULL, seq INTEGER NOT NULL,
        created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL) STRICT`,
      // receiver_id: of an endpoint or a listener.
      `CREATE TABLE delivery (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, event_id TEXT NOT NULL, event_type TEXT NOT NULL,
        conversation_id TEXT, receiver_id TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_due INTEGER, status INTEGER,
        reason TEXT, body TEXT NOT NULL, trace_id TEXT NOT NULL, cause_id TEXT, depth INTEGER NOT NULL, created_at INTEGER NOT NULL,
        ended_at INTEGER, resend_at INTEGER, UNIQUE (event_id, receiver_id)) STRICT`,
      'CREATE INDEX delivery_receiver ON delivery (receiver_id, seq)',
      `CREATE INDEX delivery_waiting ON delivery (receiver_id, seq) WHERE state = 'waiting'`,
      'CREATE INDEX delivery_resend ON delivery (receiver_id, resend_at) WHERE resend_at IS NOT NULL',
      'CREATE INDEX delivery_trace ON delivery (trace_id)',
      `CREATE TABLE delivery_attempt (delivery_id TEXT NOT NULL REFERENCES delivery (id) ON DELETE CASCADE, number INTEGER NOT NULL,
        started_at INTEGER NOT NULL, ms INTEGER NOT NULL, target TEXT NOT NULL, request_headers TEXT NOT NULL, status INTEGER, answer TEXT,
        error TEXT, reason TEXT NOT NULL, invocation_id TEXT, PRIMARY KEY (delivery_id, number)) STRICT`,
      'CREATE INDEX job_group ON job (group_key) WHERE group_key IS NOT NULL AND ended_at IS NULL',
    ],
  },
  {
    version: 6,
    // By the workspace clock, at which the rest of a trace is; started_at is the machine's time, as in the header.
    statements: ['ALTER TABLE delivery_attempt ADD COLUMN at INTEGER'],
  },
  {
    version: 7,
    statements: [
      `CREATE TABLE tool_call (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, tool TEXT NOT NULL,
        source_kind TEXT, source TEXT, version TEXT, caller_type TEXT NOT NULL, caller_id TEXT, run_id TEXT, model_call_id TEXT,
        conversation_id TEXT, arguments TEXT, decision TEXT NOT NULL, confirmation_id TEXT, status TEXT NOT NULL, code TEXT, message TEXT,
        ms REAL, result_bytes INTEGER, result TEXT, invocation_id TEXT, outcome TEXT, trace_id TEXT NOT NULL, cause_id TEXT,
        depth INTEGER NOT NULL) STRICT`,
      'CREATE INDEX tool_call_tool ON tool_call (source, tool, at)',
      'CREATE INDEX tool_call_run ON tool_call (run_id, tool) WHERE run_id IS NOT NULL',
      'CREATE INDEX tool_call_trace ON tool_call (trace_id)',
      `CREATE TABLE confirmation (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, call_id TEXT NOT NULL UNIQUE,
        answers TEXT NOT NULL, state TEXT NOT NULL, title TEXT, text TEXT NOT NULL, on_expire TEXT NOT NULL, request TEXT,
        fingerprint TEXT NOT NULL, same_as TEXT, wake TEXT, job_id TEXT, message_id TEXT, conversation_id TEXT, run_id TEXT, answer TEXT,
        asked_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, answered_at INTEGER) STRICT`,
      'CREATE INDEX confirmation_same ON confirmation (same_as, seq) WHERE same_as IS NOT NULL',
      `CREATE INDEX confirmation_open ON confirmation (conversation_id) WHERE state = 'open'`,
    ],
  },
  {
    version: 8,
    statements: [
      `CREATE TABLE mcp_client (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, url TEXT NOT NULL, auth TEXT NOT NULL, user TEXT, secret_from TEXT,
        code INTEGER NOT NULL, policies TEXT NOT NULL, transport TEXT, transport_at INTEGER, protocol TEXT, server TEXT, tools TEXT NOT NULL,
        accepted TEXT, available INTEGER NOT NULL, withheld INTEGER NOT NULL, listed_at INTEGER, announced TEXT, created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL) STRICT`,
      'CREATE INDEX mcp_client_oldest ON mcp_client (created_at, id)',
    ],
  },
  {
    version: 9,
    statements: [
      `CREATE TABLE harness (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, provider TEXT, address TEXT, module TEXT,
        models TEXT NOT NULL, signed INTEGER NOT NULL, signed_replies INTEGER NOT NULL, secret_from TEXT, old_secret_until INTEGER,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
      // Every workspace has this one, which needs no key; a seed says since when.
      `INSERT INTO harness (id, name, kind, models, signed, signed_replies, created_at, updated_at)
        VALUES ('har_00000000000000000000000000', 'builtin', 'builtin', '{}', 0, 0, 0, 0)`,
      'CREATE TABLE ai_agent (id TEXT PRIMARY KEY, app TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, content TEXT NOT NULL, UNIQUE (app, name)) STRICT',
      `CREATE TABLE run (id TEXT PRIMARY KEY, status TEXT NOT NULL, source TEXT NOT NULL, agent_id TEXT, agent TEXT, harness_id TEXT NOT NULL,
        harness TEXT NOT NULL, conversation_id TEXT, customer_id TEXT, spec TEXT NOT NULL, messages TEXT, history TEXT NOT NULL, usage TEXT NOT NULL,
        state TEXT, said INTEGER NOT NULL, text TEXT, result TEXT NOT NULL, error TEXT, warnings TEXT NOT NULL, waiting_for TEXT NOT NULL,
        late_events INTEGER NOT NULL, rerun_of TEXT, job_id TEXT, next_job TEXT, trace_id TEXT NOT NULL, cause_id TEXT, depth INTEGER NOT NULL,
        created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER) STRICT`,
      'CREATE INDEX run_newest ON run (created_at, id)',
      'CREATE INDEX run_agent ON run (agent_id, created_at) WHERE agent_id IS NOT NULL',
      'CREATE INDEX run_conversation ON run (conversation_id, created_at) WHERE conversation_id IS NOT NULL',
      'CREATE INDEX run_trace ON run (trace_id)',
      `CREATE TABLE run_event (run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE, seq INTEGER NOT NULL, type TEXT NOT NULL,
        at INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run_id, seq)) STRICT`,
      'ALTER TABLE conversation ADD COLUMN ai TEXT',
      'ALTER TABLE token ADD COLUMN agent_id TEXT',
    ],
  },
  {
    version: 10,
    // With the group, so that jobs of groups that are busy are passed over without being read.
    statements: [
      'DROP INDEX job_due',
      `CREATE INDEX job_due ON job (kind, due, seq, group_key) WHERE state = 'waiting'`,
    ],
  },
  {
    version: 11,
    statements: [
      `CREATE TABLE flow (id TEXT PRIMARY KEY, app TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, content TEXT NOT NULL,
        enabled INTEGER NOT NULL, live INTEGER NOT NULL, trigger_on TEXT NOT NULL, sort_key TEXT NOT NULL, definition TEXT NOT NULL,
        published_at INTEGER NOT NULL, created_at INTEGER NOT NULL, UNIQUE (app, name)) STRICT`,
      `CREATE TABLE flow_version (flow_id TEXT NOT NULL REFERENCES flow (id), version INTEGER NOT NULL, definition TEXT NOT NULL,
        published_at INTEGER NOT NULL, PRIMARY KEY (flow_id, version)) STRICT`,
      `CREATE TABLE flow_run (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, flow_id TEXT NOT NULL, app TEXT NOT NULL,
        flow TEXT NOT NULL, version INTEGER NOT NULL, status TEXT NOT NULL, trigger_kind TEXT NOT NULL, conversation_id TEXT, customer_id TEXT,
        state TEXT, steps INTEGER NOT NULL, node TEXT NOT NULL, event TEXT NOT NULL, waiting_for TEXT, waiting_until INTEGER,
        timeout_job_id TEXT, ai_run_id TEXT, message TEXT, input TEXT NOT NULL, missed INTEGER NOT NULL, error TEXT, reason TEXT, rerun_of TEXT,
        rerun_from TEXT, trace_id TEXT NOT NULL, cause_id TEXT, depth INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        ended_at INTEGER) STRICT`,
      // One run of a flow in a conversation at a time.
      `CREATE UNIQUE INDEX flow_run_under_way ON flow_run (conversation_id, flow_id) WHERE ended_at IS NULL AND conversation_id IS NOT NULL`,
      'CREATE INDEX flow_run_flow ON flow_run (flow_id, seq)',
      'CREATE INDEX flow_run_conversation ON flow_run (conversation_id, seq) WHERE conversation_id IS NOT NULL',
      'CREATE INDEX flow_run_trace ON flow_run (trace_id)',
      `CREATE TABLE flow_step (run_id TEXT NOT NULL REFERENCES flow_run (id) ON DELETE CASCADE, seq INTEGER NOT NULL, node TEXT NOT NULL,
        type TEXT NOT NULL, outcome TEXT NOT NULL, output TEXT, variables TEXT, message TEXT, error TEXT, ref TEXT, at INTEGER NOT NULL,
        ms INTEGER NOT NULL, PRIMARY KEY (run_id, seq)) STRICT`,
    ],
  },
  {
    version: 12,
    // Looked for at each start, among thousands that have ended.
    statements: [`CREATE INDEX tool_call_running ON tool_call (seq) WHERE status = 'running'`],
  },
];
