/** A count that ends early, such as `10,000+`. */
export function cappedCount(count: number, isCapped: boolean): string {
  return `${count.toLocaleString()}${isCapped ? '+' : ''}`;
}
