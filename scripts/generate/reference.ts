import { operationsPage } from './reference-operations.ts';
import {
  appConfigPage,
  commandsPage,
  errorsPage,
  eventsPage,
  exitCodesPage,
  functionsPage,
  limitsPage,
  seedPage,
} from './reference-pages.ts';
import { sdkPage } from './reference-sdk.ts';

/** `docs/reference`, by file name. */
export async function generateReference(): Promise<Map<string, string>> {
  const pages = {
    operations: operationsPage,
    sdk: sdkPage,
    functions: functionsPage,
    errors: errorsPage,
    events: eventsPage,
    limits: limitsPage,
    'app-config': appConfigPage,
    seed: seedPage,
    commands: commandsPage,
    'exit-codes': exitCodesPage,
  };
  return new Map(Object.entries(pages).map(([name, make]) => [`docs/reference/${name}.md`, make()]));
}
