import type { Generated } from 'kysely';

/** The tables as Kysely sees them. See migrations.ts for keys and indexes. */
export interface Tables {
  setting: { key: string; value: string };
  customer: {
    id: string;
    name: string | null;
    phone: string | null;
    email: string | null;
    language: string | null;
    fields: string;
    created_at: number;
    updated_at: number;
  };
  channel: { id: string; kind: string; name: string; name_key: string; connected: number; created_at: number };
  workgroup: { id: string; name: string; name_key: string };
  agent: { id: string; name: string; email: string };
  agent_workgroup: { agent_id: string; workgroup_id: string };
  conversation: {
    id: string;
    customer_id: string;
    channel_id: string;
    status: string;
    inbox: number;
    agent_id: string | null;
    workgroup_id: string | null;
    fields: string;
    created_at: number;
    updated_at: number;
    last_message_at: number | null;
    /** Time of the last message, or of the creation; the inbox is sorted by it. */
    activity_at: number;
    event_count: number;
    /** Whether the AI is paused, and what it has to know after a pause; null if it never was. */
    ai: string | null;
  };
  message: {
    id: string;
    conversation_id: string;
    direction: string;
    author_type: string;
    author_id: string | null;
    text: string | null;
    media: string | null;
    template: string | null;
    quick_replies: string;
    status: string;
    created_at: number;
    trace_id: string | null;
    cause_id: string | null;
    quick_reply_id: string | null;
    error: string | null;
  };
  note: {
    id: string;
    conversation_id: string;
    author_type: string;
    author_id: string | null;
    text: string;
    created_at: number;
  };
  template: {
    id: string;
    name: string;
    language: string;
    category: string;
    status: string;
    definition: string;
    created_at: number;
    updated_at: number;
  };
  media: {
    id: string;
    file_name: string;
    content_type: string;
    bytes: number;
    sha256: string | null;
    expires_at: number;
    created_at: number;
    uploaded_at: number | null;
  };
  store_entry: { app: string; key: string; value: string; expires_at: number | null };
  secret: { app: string; name: string; value: string; updated_at: number };
  variable: { app: string; name: string; value: string; updated_at: number };
  token: {
    id: string;
    name: string;
    hash: string;
    scopes: string;
    /** The person as whom it acts. */
    agent_id: string | null;
    created_at: number;
    last_used_at: number | null;
    revoked_at: number | null;
  };
  app: {
    app: string;
    built_in: number;
    installed: number;
    settings: string;
    version: string | null;
    functions: number;
    live: string | null;
    installed_at: number | null;
  };
  deployment: {
    id: string;
    app: string;
    fingerprint: string;
    state: string;
    base_version: string | null;
    message: string | null;
    commit_sha: string | null;
    committed_at: string | null;
    ancestors: string | null;
    manifest: string;
    functions: number;
    created_by: string;
    created_at: number;
    expires_at: number;
    activated_at: number | null;
    /** Order of the first activations of an app's deployments, which rollback follows backwards. */
    activation: number | null;
  };
  deployment_file: { deployment_id: string; sha256: string; bytes: number };
  blob: { sha256: string; bytes: number; kept_from: number };
  pack: { id: string; name: string; quarters: number; quarters_left: number; created_at: number; position: number };
  pack_entry: {
    id: string;
    kind: string;
    quarters: number;
    note: string | null;
    packs: string;
    balance_after: number;
    at: number;
    position: number;
  };
  invocation: {
    id: string;
    app: string;
    function: string;
    type: string;
    version: string;
    trigger_kind: string;
    caller_type: string;
    caller_id: string | null;
    status: string;
    started_at: number;
    wall_ms: number;
    cpu_ms: number;
    peak_memory_bytes: number;
    error: string | null;
    input: string;
    result: string | null;
    calls: string;
    trace_id: string | null;
    cause_id: string | null;
  };
  log_line: {
    seq: Generated<number>;
    invocation_id: string;
    app: string;
    function: string;
    at: number;
    level: string;
    text: string;
  };
  idempotency: { scope: string; key_hash: string; fingerprint: string; answer: string | null; at: number };
  journal: {
    seq: Generated<number>;
    id: string;
    type: string;
    at: number;
    actor_type: string;
    actor_id: string | null;
    conversation_id: string | null;
    sequence: number | null;
    data: string;
    previous: string | null;
    operation: string;
    invocation_id: string | null;
    trace_id: string | null;
    cause_id: string | null;
    depth: number;
    /** The only webhook endpoint that gets it; null for everybody. */
    deliver_to: string | null;
    synthetic: number;
  };
  /** One row for everything that runs later; see jobs/. */
  job: {
    seq: Generated<number>;
    id: string;
    kind: string;
    key: string | null;
    lane: string | null;
    /** 1: later jobs of the lane wait for this one. */
    holds_lane: number;
    group_key: string | null;
    /** blocked | waiting | leased | done | failed | aborted */
    state: string;
    due: number;
    /** 1: `due` is a moment; 0: it is a delay, so it moves along when the clock is turned back. */
    fixed: number;
    attempt: number;
    payload: string;
    outcome: string | null;
    node: string | null;
    epoch: number;
    lease_until: number | null;
    trace_id: string;
    cause_id: string | null;
    depth: number;
    created_at: number;
    ended_at: number | null;
  };
  /** Where events are delivered to: an address or a function. Secrets are in `secret`, under its id. */
  endpoint: {
    id: string;
    kind: string;
    source: string;
    target: string;
    patterns: string;
    description: string | null;
    state: string;
    reason: string | null;
    disabled_at: number | null;
    /** The name of the secret's value on the machine, from a seed. */
    secret_from: string | null;
    old_secret_until: number | null;
    /** The first failure since a success. */
    failing_since: number | null;
    /** Times of the last three failed attempts since a success. */
    failures: string;
    /** The job that disables it, once it fails for long. */
    expiry_job_id: string | null;
    created_at: number;
    updated_at: number;
  };
  /** Named subscriptions; `seq` is the cursor. */
  listener: { id: string; name: string; patterns: string; seq: number; created_at: number; seen_at: number };
  /** One event for one endpoint or listener. */
  delivery: {
    seq: Generated<number>;
    id: string;
    event_id: string;
    event_type: string;
    conversation_id: string | null;
    receiver_id: string;
    state: string;
    attempts: number;
    next_due: number | null;
    status: number | null;
    reason: string | null;
    /** The text that is signed: the same at every attempt, even if a later version of fn would write the event in another way. */
    body: string;
    trace_id: string;
    cause_id: string | null;
    depth: number;
    created_at: number;
    ended_at: number | null;
    /** When it was to be sent to its listener again; null once the listener has said what became of it. */
    resend_at: number | null;
  };
  /** `started_at` is the machine's time. */
  delivery_attempt: {
    delivery_id: string;
    number: number;
    /** By the machine's clock, like `webhook-timestamp`. */
    started_at: number;
    /** The same by the workspace clock. */
    at: number | null;
    ms: number;
    target: string;
    request_headers: string;
    status: number | null;
    answer: string | null;
    error: string | null;
    reason: string;
    invocation_id: string | null;
  };
  /** One call of an AI Tool, as its log says; `outcome` is what its caller is told, encrypted. */
  tool_call: {
    seq: Generated<number>;
    id: string;
    at: number;
    tool: string;
    source_kind: string | null;
    source: string | null;
    version: string | null;
    caller_type: string;
    caller_id: string | null;
    run_id: string | null;
    model_call_id: string | null;
    conversation_id: string | null;
    arguments: string | null;
    decision: string;
    confirmation_id: string | null;
    /** running | waiting | ok | error | denied | timeout | cancelled */
    status: string;
    code: string | null;
    message: string | null;
    ms: number | null;
    result_bytes: number | null;
    result: string | null;
    invocation_id: string | null;
    outcome: string | null;
    trace_id: string;
    cause_id: string | null;
    depth: number;
  };
  /** A question whether a tool may be called. `request` is what carrying it out needs, encrypted; null once it is over. */
  confirmation: {
    seq: Generated<number>;
    id: string;
    call_id: string;
    /** Who has to answer: human | customer */
    answers: string;
    /** open | allowed | denied | expired */
    state: string;
    title: string | null;
    text: string;
    on_expire: string;
    request: string | null;
    fingerprint: string;
    same_as: string | null;
    /** The job that goes on when it is answered or expires. */
    wake: string | null;
    /** The job that lets it expire. */
    job_id: string | null;
    message_id: string | null;
    conversation_id: string | null;
    run_id: string | null;
    answer: string | null;
    asked_at: number;
    expires_at: number;
    answered_at: number | null;
  };
  /** MCP servers of others. Secrets are in `secret`, under its id; tools are JSON. */
  mcp_client: {
    id: string;
    name: string;
    url: string;
    auth: string;
    user: string | null;
    /** The name of the secret's value on the machine, from a seed. */
    secret_from: string | null;
    code: number;
    policies: string;
    transport: string | null;
    transport_at: number | null;
    protocol: string | null;
    server: string | null;
    /** As last listed. */
    tools: string;
    /** Hash and definition by name; null until the first list, which is accepted as it is. */
    accepted: string | null;
    available: number;
    withheld: number;
    listed_at: number | null;
    /** What the last event said: connected, or the code of a failure. */
    announced: string | null;
    created_at: number;
    updated_at: number;
  };
  /** The processes that work on jobs. `beat_at` is the machine's time. */
  node: { id: string; started_at: number; beat_at: number };
  /** Who runs the loop of AI agents. Keys and secrets are in `secret`, under its id. */
  harness: {
    id: string;
    name: string;
    kind: string;
    provider: string | null;
    /** The base URL of the models' API, or the endpoint of the custom kind. */
    address: string | null;
    module: string | null;
    models: string;
    signed: number;
    signed_replies: number;
    /** The name of the secret's value on the machine, from a seed. */
    secret_from: string | null;
    old_secret_until: number | null;
    created_at: number;
    updated_at: number;
  };
  /** What the workspace adds to the files of AI agents: an id and a version. `content` is a hash. */
  ai_agent: { id: string; app: string; name: string; version: number; content: string };
  run: {
    id: string;
    status: string;
    source: string;
    agent_id: string | null;
    /** App and name. */
    agent: string | null;
    harness_id: string;
    /** Kind and name, as they were when the run began. */
    harness: string;
    conversation_id: string | null;
    customer_id: string | null;
    /** What it was asked, and how it may go about it. */
    spec: string;
    /** What it saw when it began: history and input. */
    messages: string | null;
    history: string;
    usage: string;
    /** Of the custom kind. */
    state: string | null;
    /** How many of its texts were sent. */
    said: number;
    text: string | null;
    result: string;
    error: string | null;
    warnings: string;
    waiting_for: string;
    late_events: number;
    rerun_of: string | null;
    job_id: string | null;
    /** The job that its end enqueues. */
    next_job: string | null;
    trace_id: string;
    cause_id: string | null;
    depth: number;
    created_at: number;
    started_at: number | null;
    ended_at: number | null;
  };
  /** What happened in a run, in order: the record is made of it, and a run goes on from it. */
  run_event: { run_id: string; seq: number; type: string; at: number; data: string };
}
