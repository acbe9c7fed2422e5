/** Limits of a workspace. A function may lower its own with `config.limits`, never raise them (contract 7). */
export const limits = {
  function: {
    wallMs: 30_000,
    cpuMs: 10_000,
    memoryMb: 128,
    bodyBytes: 6 * 1024 * 1024,
    resultBytes: 10 * 1024 * 1024,
    logLines: 1_000,
    logBytes: 1024 * 1024,
    pendingCalls: 1_000,
    callDepth: 8,
  },
  /** Max body, max URL and max headers of a request, and how deep its JSON may be. `heldBytes`: of all bodies that are being read. */
  request: {
    bodyBytes: 6 * 1024 * 1024,
    heldBytes: 256 * 1024 * 1024,
    jsonDepth: 200,
    jsonKeys: 100_000,
    headerBytes: 16 * 1024,
    urlBytes: 8 * 1024,
  },
  /** `items`: of one kind, in one place. Everything a workspace exports must fit into one seed, so there are no narrower limits. */
  seed: { bodyBytes: 64 * 1024 * 1024, jsonKeys: 5_000_000, items: 100_000 },
  list: { default: 50, most: 200, pageBytes: 4 * 1024 * 1024 },
  idempotencyHours: 24,
  /** `keptLogBytes`: the minimum kept for each function; at most twice as much is kept. */
  invocations: {
    keptPerFunction: 1_000,
    keptDays: 7,
    keptLogBytes: 32 * 1024 * 1024,
    recordedBytes: 64 * 1024,
    callBytes: 4 * 1024,
    callsBytes: 64 * 1024,
  },
  /** Events of the last `keptDays` are kept, or the newest `eventsKept`, if these are more; never more than `maxEvents`. */
  journal: { eventsKept: 100_000, keptDays: 7, maxEvents: 1_000_000 },
  trace: { maxDepth: 8 },
  /** `keptHours`: how long a finished job with a key answers for a repeat. */
  jobs: { payloadBytes: 64 * 1024, keptHours: 24, attempts: 6, maxAttempts: 10 },
  /**
   * `perEndpoint` and `atOnce`: deliveries that run at once. `failingDays`: after so many of nothing but failures an endpoint is disabled.
   * `maxAtOnce`: deliveries that one call makes again.
   */
  webhooks: {
    maxEndpoints: 100,
    maxListeners: 100,
    maxPatterns: 100,
    perEndpoint: 4,
    atOnce: 32,
    failingDays: 5,
    oldSecretHours: 24,
    keptDeliveries: 10_000,
    keptDays: 7,
    maxAtOnce: 1_000,
  },
  /** `kept…`: how long a connection without calls stays open. `transportHours`: how long it is remembered how a server is spoken to. */
  mcp: {
    maxClients: 50,
    timeoutMs: 30_000,
    maxCallsPerRun: 20,
    perMinute: 60,
    keptIdleMs: 300_000,
    transportHours: 24,
  },
  /**
   * `depth`: runs that start each other. `messageBytes`: messages of models that a run keeps. `keptRuns`: for each agent.
   * `perWorkspace`: runs that work at once. `rotation`: how long the secret before the last one signs.
   */
  agents: {
    depth: 8,
    keptDays: 7,
    keptRuns: 1_000,
    messageBytes: 1024 * 1024,
    perWorkspace: 64,
    maxHarnesses: 100,
    oldSecretHours: 24,
    capWarning: 0.8,
  },
  /**
   * Of AI Tools. `resultBytes`: what a result may have unless the tool says otherwise. `confirmationMs`: how long a confirmation stays open
   * unless the tool says otherwise.
   */
  tools: { kept: 10_000, argumentBytes: 256 * 1024, resultBytes: 32 * 1024, confirmationMs: 15 * 60_000 },
  /**
   * `steps`: between two waits. `queued`: messages that wait for a flow run. `waitDays`: the longest wait for a message that names no timeout.
   */
  flows: {
    perApp: 100,
    nodes: 200,
    fileBytes: 256 * 1024,
    steps: 100,
    queued: 20,
    stateBytes: 1024 * 1024,
    outputBytes: 64 * 1024,
    waitDays: 7,
    keptRuns: 1_000,
    keptDays: 7,
  },
  customer: { fieldsBytes: 256 * 1024 },
  vars: { valueBytes: 256 * 1024 },
  store: { valueBytes: 256 * 1024, keyLength: 512, keysPerApp: 100_000 },
  /** `kept`: for each app, the most recent deployments that were live. */
  deployment: { fileBytes: 10 * 1024 * 1024, files: 2_000, expiresHours: 24, blobKeptHours: 24, kept: 50 },
  media: { expiresMinutes: 15 },
} as const;
