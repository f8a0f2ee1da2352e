/** The first line and the headers of a request, to a host of this machine. */
export function headOf(port: number, line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n');
}

/** The statuses of answers that follow one another on a connection. */
export function statuses(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

/** The parsed body of the last answer. */
export function lastBody(received: string): { readonly error: { readonly code: string; readonly message: string } } {
  return JSON.parse(received.slice(received.lastIndexOf('\r\n\r\n') + 4));
}
