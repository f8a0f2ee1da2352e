import type { Connection, Submittable } from 'pg';
import { serialize } from 'pg-protocol';

export type ParameterValue = string | number | boolean | null;

/** A statement that every connection prepares under its name when it first runs it. */
export interface PreparedStatement {
  /** At most 63 bytes; another text needs another name. Without one it is prepared for this time alone. */
  readonly name: string;
  readonly sql: string;
  readonly values: readonly ParameterValue[];
}

/** The columns of a row as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

/** Runs a statement and gives its rows as arrays. */
export type RunQuery = (statement: {
  readonly sql: string;
  readonly values: readonly unknown[];
}) => Promise<readonly (readonly unknown[])[]>;

/** @param results the rows of each statement; after an error those of the statements before it */
type Callback = (error: Error | undefined, results?: readonly (readonly TextRow[])[]) => void;

/** Statements that stay prepared on a connection; each takes the server about 45 kB. */
export const maxPreparedStatements = 200;

/**
 * Runs prepared statements with less work than pg's own query: one message to the server for all of them, no description of the columns,
 * whose values stay text. After one that fails, none of the rest runs. Of the statements on a connection those that were used last stay
 * prepared.
 */
export class PreparedQuery implements Submittable {
  private readonly results: TextRow[][] = [[]];

  /** @param callback is replaced by pg, which adds its timeout */
  constructor(
    private readonly statements: readonly PreparedStatement[],
    public callback: Callback,
  ) {}

  submit(connection: Connection): void {
    const messages: Buffer[] = [];
    for (const { name, sql, values } of this.statements) {
      prepare(connection, name, sql, messages);
      messages.push(serialize.bind({ statement: name, values: values.map(textOf) }), serialize.execute());
    }
    messages.push(serialize.sync());
    connection.stream.write(Buffer.concat(messages));
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.results.at(-1)?.push(fields);
  }

  handleCommandComplete(): void {
    this.results.push([]);
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error, connection: Connection): void {
    // Later statements were not prepared.
    for (const { name } of this.statements.slice(this.results.length - 1)) preparedOn(connection).delete(name);
    this.callback(error, this.results.slice(0, -1));
  }

  handleReadyForQuery(): void {
    this.callback(undefined, this.results.slice(0, -1));
  }
}

function textOf(value: ParameterValue): string | null {
  return value === null ? null : String(value);
}

/** Adds the messages that prepare a statement where it is not prepared. */
function prepare(connection: Connection, name: string, sql: string, messages: Buffer[]): void {
  const prepared = preparedOn(connection);
  if (prepared.has(name)) {
    // The order is of use, and worth its time, when the places soon are all taken.
    if (prepared.size > maxPreparedStatements / 2 && prepared.delete(name)) prepared.add(name);
    return;
  }
  if (name === '') {
    messages.push(serialize.parse({ text: sql }));
    return;
  }
  // It may be there after an error. To close what is not there is no error.
  messages.push(serialize.close({ type: 'S', name }), serialize.parse({ name, text: sql }));
  prepared.add(name);
  for (const oldest of prepared) {
    if (prepared.size <= maxPreparedStatements) break;
    prepared.delete(oldest);
    messages.push(serialize.close({ type: 'S', name: oldest }));
  }
}

const preparedOnConnections = new WeakMap<Connection, Set<string>>();

/** Names in the order of their last use. */
function preparedOn(connection: Connection): Set<string> {
  const known = preparedOnConnections.get(connection);
  if (known !== undefined) return known;
  const added = new Set<string>();
  preparedOnConnections.set(connection, added);
  return added;
}
