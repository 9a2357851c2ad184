/** Formats a number as Go does in the Prometheus format: `NaN`, `+Inf`, `12`, `0.5`, `1e+06`. (strconv.FormatFloat 'g') */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  // most values are small counts
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  const [digits, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
