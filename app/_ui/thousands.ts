/** Digits with a thin space between thousands: `12 480`. Pure. */
export function thousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, "\u2009");
}
