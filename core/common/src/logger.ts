/** Where launcher and supervisor report what they do. Fields are plain values, never secrets. @public */
export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** For callers that want no report, such as commands that print only their result. @public */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
