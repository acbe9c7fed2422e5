import { renderUnicodeCompact } from 'uqr';

/** Renders a text as a QR code for a terminal, with half blocks. Light cells are drawn: most terminals have a dark background. Undefined if it is too long for one. */
export function qrText(text: string): string | undefined {
  try {
    return renderUnicodeCompact(text, { ecc: 'L', border: 2 });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
