import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { McpCallResult } from './types.ts';

const maxTextBytes = 32 * 1024;

/** Turns a result into what a model reads: text, with notes for what is not text. Structured content is preferred over its text twin. */
export function readResult(result: CallToolResult): McpCallResult {
  const { structuredContent: structured } = result;
  const content = result.content ?? [];
  const parts = structured === undefined ? content : content.filter(({ type }) => type !== 'text');
  const whole = [...(structured === undefined ? [] : [JSON.stringify(structured)]), ...parts.map(describeBlock)].join(
    '\n',
  );
  const bytes = Buffer.byteLength(JSON.stringify({ content, structuredContent: structured }));
  const size = Buffer.byteLength(whole);
  const isCut = size > maxTextBytes;
  const text = isCut ? `${cutText(whole, maxTextBytes)}\n[cut: ${maxTextBytes} of ${size} bytes]` : whole;
  return { isError: result.isError === true, text, structured, isCut, bytes };
}

function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${describeBytes(block.data)}]`;
    case 'resource_link':
      return `link: ${block.name} ${block.uri}`;
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return `${resource.uri}\n${resource.text}`;
      return `[resource ${resource.uri}, ${describeBytes(resource.blob)}]`;
    }
    default:
      return '[something that is not text]';
  }
}

const describeBytes = (base64: string): string => `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;

/** The first bytes, without half a character at the end. */
function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text).subarray(0, maxBytes);
  return new TextDecoder().decode(bytes, { stream: true });
}
