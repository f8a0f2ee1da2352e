/** Requests of a test of a plugin to the host process of its platform, over IPC. */
export type TestCall =
  /** A method of `ItemCollection`, as the plugin that has the type, or as the user of an API token. */
  | {
      readonly kind: 'items';
      readonly type: string;
      readonly method: string;
      readonly args: readonly unknown[];
      readonly token?: string;
    }
  /** Plugins get this time, in milliseconds since 1970, which then goes on; without it, that of the machine. */
  | { readonly kind: 'clock'; readonly time?: number }
  /** A service account with these roles, and an API token of it. */
  | { readonly kind: 'actor'; readonly login: string; readonly roles: readonly string[] };

/** To the host process: the first message. */
export interface TestStartMessage {
  readonly kind: 'start';
  readonly environment: Readonly<Record<string, string>>;
}

/** To the host process. */
export interface TestCallMessage {
  readonly kind: 'call';
  readonly id: number;
  readonly call: TestCall;
}

export interface TestError {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly details?: unknown;
}

/** From the host process. */
export type TestPlatformMessage =
  | { readonly kind: 'ready'; readonly address: string }
  | { readonly kind: 'failed'; readonly error: TestError }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly error: TestError };
