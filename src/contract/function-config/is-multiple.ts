/** Whether one decimal number is a multiple of another: 19.99 is a multiple of 0.01, although floating-point division denies it. */
export function isMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value)) return false;
  const one = decimal(value);
  const other = decimal(of);
  const power = Math.min(one.power, other.power);
  const scaled = ({ digits, power: own }: Decimal) => digits * 10n ** BigInt(own - power);
  return scaled(one) % scaled(other) === 0n;
}

/** `digits · 10^power` */
interface Decimal {
  readonly digits: bigint;
  readonly power: number;
}

function decimal(value: number): Decimal {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
}
