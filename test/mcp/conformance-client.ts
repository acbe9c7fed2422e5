/** The client that `@modelcontextprotocol/conformance` starts: connects to the address, lists the tools and calls those that it knows. */
import { openConnection } from '../../src/mcp/index.ts';

const url = process.argv.at(-1) ?? '';
const connection = await openConnection({ url }, { fetch, version: '0.0.0' });
try {
  const tools = await connection.listTools();
  const args: Readonly<Record<string, Record<string, unknown>>> = { add_numbers: { a: 5, b: 3 } };
  for (const tool of tools) await connection.call(tool, args[tool.name] ?? {});
} finally {
  await connection.close();
}
