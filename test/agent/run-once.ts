/**
 * Runs one agent and prints the status it ends with: a process of its own, for a test that watches what a process does.
 * Arguments: the harness as JSON, and what the customer says.
 */
import { runAgent, statusOf } from './a-run.ts';

const [harness = '', say = ''] = process.argv.slice(2);
console.log(statusOf(await runAgent({ say, harness: JSON.parse(harness), models: { main: 'big' } })));
