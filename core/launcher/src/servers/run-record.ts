import type { HostConfig } from '@gantry/host/config';
import { messageOf, ownReference, type Logger } from '@gantry/core-common';
import type { EmbeddedServer } from '../common/embedded-server';
import { removeRunFile, writeRunFile } from '../home/run-file';
import type { RunningPlatform } from '../home/run-file';
import { serverEnvironment } from './run-servers';
import { removeLeaseClient, writeLeaseClient } from '../home/lease-clients';
import type { HomeLease } from '../home/home-lease';

/** The record that this process publishes about itself; kept up to date. */
export interface RunRecord {
  change(change: {
    readonly host?: RunningPlatform['host'] | undefined;
    readonly successor?: RunningPlatform['successor'] | undefined;
    readonly address?: string;
  }): void;
}

/** The owner of a home writes run.json, which commands read; each client writes a separate file. */
export function createRunRecord(
  config: HostConfig,
  lease: HomeLease,
  servers: readonly EmbeddedServer[],
  logger: Logger,
): RunRecord {
  let isFirst = true;
  const environment = serverEnvironment(servers);
  let content: RunningPlatform = {
    launcher: ownReference(),
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
        write(config.home, lease, content);
      } catch (error) {
        // A disk that is full later must not end what runs; the next change is written again.
        if (isFirst) throw error;
        logger.warn('other processes cannot be notified of a change', { reason: messageOf(error) });
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

function write(home: string, lease: HomeLease, content: RunningPlatform): void {
  if (lease.isOwner()) {
    writeRunFile(home, content);
    removeLeaseClient(home);
  } else {
    writeLeaseClient(home, content);
  }
}

export function removeRunRecord(config: HostConfig, lease: HomeLease): void {
  if (lease.isOwner()) removeRunFile(config.home);
  removeLeaseClient(config.home);
}
