/** Most characters of one message, by the kind of its channel. */
const maxLengths: Readonly<Record<string, number>> = {
  'messaging-app': 4_096,
  'photo-network': 1_000,
  'web-chat': 4_096,
  sms: 1_530,
  email: 100_000,
};
const usualLength = 4_096;
/** Channels that show text as it is written. */
const plainChannels: readonly string[] = ['sms', 'photo-network', 'email'];

/**
 * Makes messages of what an AI agent said: Markdown becomes what the channel shows, and a text that is too long for one message is split at
 * paragraphs, then lines, then words.
 * @param maxMessages what is beyond goes into the last one, as far as it fits
 */
export function splitReply(text: string, channel: string, maxMessages: number): string[] {
  const most = maxLengths[channel] ?? usualLength;
  const parts: string[] = [];
  let rest = toChannelFormat(text, channel).trim();
  while (rest.length > most) {
    const isLast = parts.length === maxMessages - 1;
    const end = isLast ? most - 1 : placeToSplit(rest, most);
    parts.push(isLast ? `${rest.slice(0, end).toWellFormed().trimEnd()}…` : rest.slice(0, end).trimEnd());
    if (isLast) return parts;
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

function placeToSplit(text: string, most: number): number {
  const head = text.slice(0, most + 1);
  for (const mark of ['\n\n', '\n', '. ', ' ']) {
    const at = head.lastIndexOf(mark);
    if (at > most / 2) return at + (mark === '. ' ? 1 : 0);
  }
  // Not between the halves of a character.
  return text.charCodeAt(most - 1) >= 0xd8_00 && text.charCodeAt(most - 1) <= 0xdb_ff ? most - 1 : most;
}

/** Messaging apps have their own marks for bold and italic; where there are none, the marks go. */
function toChannelFormat(text: string, channel: string): string {
  const isPlain = plainChannels.includes(channel);
  // Code keeps its marks.
  return text
    .split(/(```[\s\S]*?```)/)
    .map((part, index) => (index % 2 === 1 ? part : formatted(part, isPlain)))
    .join('');
}

function formatted(text: string, isPlain: boolean): string {
  const bold = isPlain ? '$1' : '*$1*';
  return text
    .replace(/^#{1,6} +(.+?) *#*$/gm, bold)
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, bold)
    .replace(/__(?=\S)(.+?)(?<=\S)__/g, bold)
    .replace(/!?\[([^\]\n]+)\]\((https?:[^)\s]+)\)/g, (_, words: string, url: string) =>
      words === url ? url : `${words}: ${url}`,
    )
    .replace(/^([ \t]*)[*+] +/gm, '$1- ');
}
