import type { Database } from './database/index.ts';
import type { AppState, Json } from './types.ts';

/**
 * Queries for the start of `fn dev` and the first invocation. They are plain statements, because loading the query builder
 * would take longer than all of them.
 */
export class StartQuestions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async isEmpty(): Promise<boolean> {
    const found = await this.#rows(
      `SELECT 1 FROM channel UNION ALL SELECT 1 FROM customer UNION ALL SELECT 1 FROM agent UNION ALL SELECT 1 FROM template LIMIT 1`,
    );
    return found.length === 0;
  }

  /** Whether something waits for a secret that the seed has named. */
  async lacksSecret(): Promise<boolean> {
    const found = await this.#rows(
      `SELECT 1 FROM endpoint WHERE state = 'needsSecret' AND secret_from IS NOT NULL UNION ALL
        SELECT 1 FROM harness WHERE secret_from IS NOT NULL AND id NOT IN (SELECT app FROM secret) UNION ALL
        SELECT 1 FROM mcp_client WHERE secret_from IS NOT NULL AND id NOT IN (SELECT app FROM secret) LIMIT 1`,
    );
    return found.length > 0;
  }

  async keptOffset(): Promise<number> {
    const [row] = await this.#rows(`SELECT value FROM setting WHERE key = 'clock-offset'`);
    return Number(row?.['value'] ?? 0);
  }

  async knownApps(): Promise<string[]> {
    return (await this.#rows('SELECT app FROM app ORDER BY app')).map((row) => String(row['app']));
  }

  async deployedApps(): Promise<string[]> {
    const rows = await this.#rows('SELECT app FROM app WHERE live IS NOT NULL ORDER BY app');
    return rows.map((row) => String(row['app']));
  }

  async appState(app: string): Promise<AppState> {
    const [row] = await this.#rows('SELECT installed, settings, version FROM app WHERE app = ?', app);
    return {
      installed: row?.['installed'] === 1,
      settings: JSON.parse(String(row?.['settings'] ?? '{}')) as Record<string, Json>,
      version: row?.['version'] == null ? null : String(row['version']),
    };
  }

  async secretsOf(app: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#rows('SELECT name, value FROM secret WHERE app = ?', app);
    return new Map(rows.map((row) => [String(row['name']), String(row['value'])]));
  }

  async ownerSecrets(): Promise<string[]> {
    const rows = await this.#rows(String.raw`SELECT value FROM secret WHERE app LIKE '%\_%' ESCAPE '\'`);
    return rows.map((row) => String(row['value']));
  }

  #rows(sql: string, ...values: string[]) {
    return this.#database.reader.use((connection) => connection.all(sql, ...values));
  }
}
