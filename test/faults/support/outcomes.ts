/** The ways that an order can go. */
export const outcomes = ['confirmed', 'unconfirmed', 'undelivered', 'unpaid', 'cancelled', 'refused'] as const;
export type Outcome = (typeof outcomes)[number];

/** Orders by id, and how each of them has to end. */
export type Orders = ReadonlyMap<string, Outcome>;

/** `count` orders with outcomes in turn; the database refuses refunds of those whose ids end with `-refused`. */
export function makeOrders(prefix: string, count: number, among: readonly Outcome[]): Orders {
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const outcome = among[index % among.length] ?? 'unpaid';
      return [`${prefix}-${index}-${outcome}`, outcome];
    }),
  );
}

/** For comparing: what is expected of every order by its outcome. */
export function expectedOf<T>(orders: Orders, byOutcome: Readonly<Record<Outcome, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries([...orders].map(([order, outcome]) => [order, byOutcome[outcome]]));
}
