import type { HostConfig } from '@gantry/host/config';
import type { EmbeddedServer } from '../embedded-server';
import { messageOf } from '../launcher-error';
import type { Logger } from '../logger';
import { referenceOf } from '../processes';
import { removeRunFile, writeRunFile } from '../run-file';
import type { RunningPlatform } from '../run-file';
import { serverEnvironment } from '../servers/run-servers';
import { removeGuest, writeGuest } from './guests';
import type { HomePlace } from './place';

/** What this process tells others of itself; kept up to date with what changes. */
export interface RunRecord {
  change(change: {
    readonly host?: RunningPlatform['host'] | undefined;
    readonly successor?: RunningPlatform['successor'] | undefined;
    readonly address?: string;
  }): void;
}

/** The keeper of a home writes run.json, where commands look; guests write files of their own. */
export function createRunRecord(
  config: HostConfig,
  place: HomePlace,
  servers: readonly EmbeddedServer[],
  logger: Logger,
): RunRecord {
  let isFirst = true;
  const environment = serverEnvironment(servers);
  let content: RunningPlatform = {
    launcher: referenceOf(process.pid) ?? { pid: process.pid, startedAt: '' },
    servers: {},
    project: config.project,
    pluginPath: [...config.pluginPath],
    databaseUrl: environment['DATABASE_URL'] ?? config.databaseUrl,
    environment: { ...environment },
    startedAt: new Date().toISOString(),
  };
  return {
    change: (change) => {
      const pids = servers.flatMap((server) => {
        const pid = server.pid();
        return pid === undefined ? [] : [[server.name, pid] as const];
      });
      content = { ...content, ...change, servers: Object.fromEntries(pids) };
      try {
        write(config.home, place, content);
      } catch (error) {
        // A disk that is full later must not end what runs; the next change is written again.
        if (isFirst) throw error;
        logger.warn('other processes cannot be told of a change', { reason: messageOf(error) });
      }
      isFirst = false;
    },
  };
}

/** Takes what changes before there is a record, and passes it on to the one that it is opened with. */
export function createEarlyRecord(): RunRecord & { open(opened: RunRecord): void } {
  let record: RunRecord | undefined;
  let early: Parameters<RunRecord['change']>[0] = {};
  return {
    change: (change) => {
      if (record === undefined) early = { ...early, ...change };
      else record.change(change);
    },
    open: (opened) => {
      opened.change(early);
      record = opened;
    },
  };
}

function write(home: string, place: HomePlace, content: RunningPlatform): void {
  if (place.isKeeper()) {
    writeRunFile(home, content);
    removeGuest(home);
  } else {
    writeGuest(home, content);
  }
}

export function removeRunRecord(config: HostConfig, place: HomePlace): void {
  if (place.isKeeper()) removeRunFile(config.home);
  removeGuest(config.home);
}
