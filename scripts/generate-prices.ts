/**
 * Writes src/agent/budget/prices.json: the prices of the models that OpenAI and Anthropic serve themselves, as the package
 * @pydantic/genai-prices (MIT) lists them on this day. Run it before a release, after updating that package, and review the diff:
 * `node scripts/generate-prices.ts`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { packageFile } from '../src/std/index.ts';

const providers = ['anthropic', 'openai'] as const;
const today = new Date();

interface Price {
  readonly input: number;
  readonly cachedInput?: number;
  readonly output: number;
}

const models: [string, Price][] = providers.flatMap((id) => {
  const provider = findProvider({ providerId: id });
  if (!provider) throw new Error(`${id} is not listed any more`);
  return provider.models.flatMap((model): [string, Price][] => {
    const price = priceOf(id, model.id);
    return price === undefined ? [] : [[model.id, price]];
  });
});

/** For a million tokens. Where a price depends on the length of the input, that of a short one: longer ones cost more. */
function priceOf(providerId: string, model: string): Price | undefined {
  const cost = (usage: Record<string, number>) =>
    calcPrice(usage, model, { providerId, timestamp: today })?.total_price;
  const input = cost({ input_tokens: 1_000 });
  const output = cost({ output_tokens: 1_000 });
  const cached = cost({ input_tokens: 1_000, cache_read_tokens: 1_000 });
  if (!input || !output) return undefined;
  const perMillion = (value: number) => Number((value * 1_000).toPrecision(6));
  return {
    input: perMillion(input),
    ...(cached !== undefined && cached > 0 && cached < input && { cachedInput: perMillion(cached) }),
    output: perMillion(output),
  };
}

/** As the formatter has it. */
function oneLine(price: Price): string {
  return `{ ${Object.entries(price)
    .map(([name, value]) => `"${name}": ${value}`)
    .join(', ')} }`;
}

const { version } = JSON.parse(readFileSync(packageFile('node_modules/@pydantic/genai-prices/package.json'), 'utf8'));
const rows = models.map(([name, price]) => `    ${JSON.stringify(name)}: ${oneLine(price)}`).join(',\n');
const file = packageFile('src/agent/budget/prices.json');
writeFileSync(
  file,
  `{\n  "date": "${today.toISOString().slice(0, 10)}",\n  "source": "@pydantic/genai-prices ${version} (MIT)",\n  "models": {\n${rows}\n  }\n}\n`,
);
console.log(`${models.length} models`);
