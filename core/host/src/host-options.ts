import type { HostMessage, Quarantine, StartupReport, Successor } from '@gantry/contracts';
import type { HttpServer, ListenTarget } from '@gantry/core-http';
import type { PluginExecution, PluginRegistryOptions } from '@gantry/core-loader';
import type { Logger } from '@gantry/plugin-api';
import type { Generations } from '@gantry/core-lifecycle';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import type { HostModule } from './modules';

export interface HostOptions {
  readonly config: HostConfig;
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Plugins that an earlier attempt of this start had to give up. */
  readonly quarantines?: readonly Quarantine[];
  /** Called before and after plugin code runs; the launcher watches the host by it. */
  readonly notifyLauncher?: (message: HostMessage) => void;
  /** How plugin code is entered; one without hooks unless given. */
  readonly execution?: PluginExecution;
  /** Given the server as soon as it listens. */
  readonly onListening?: (server: HttpServer) => void;
  /** A socket that the launcher has opened; host and port of the configuration unless given. */
  readonly socket?: Extract<ListenTarget, { readonly fd: number }>;
  /** Set for a host that replaces another one: it listens only when it is ready. */
  readonly successor?: Successor;
  /** Set after a host that served has ended: this one serves before its workers poll. */
  readonly isRestart?: boolean;
  /** Milliseconds that another start waits for a Temporal that comes up together with it; see the workers. */
  readonly workerTimeoutMs?: number;
  /** Milliseconds of the phases of plugins, for tests. */
  readonly timeouts?: PluginRegistryOptions['timeouts'];
  readonly generations?: Generations;
  /** Those of the platform unless given. */
  readonly modules?: readonly HostModule[];
  /** The time that plugins get as `now`; that of the machine unless given. */
  readonly now?: () => Date;
  /** Given the content before the plugins start, for tests of plugins. */
  readonly onContent?: (content: Content) => void;
}

/** A running host. */
export interface Host {
  /** For example `http://127.0.0.1:3000`. */
  readonly address: string;
  readonly report: StartupReport;
  /** Type codes that are served. */
  readonly types: readonly string[];
  /** Drains: no new requests, open ones are answered, plugins stopped in reverse order, connections closed. */
  stop(): Promise<void>;
  /** The same after another host has begun to serve on the same socket: no client notices. */
  retire(): Promise<void>;
}
