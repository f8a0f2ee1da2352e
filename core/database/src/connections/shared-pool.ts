import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { assertQueueHasRoom, isExhausted, type ConnectionGroup } from './connection-group';

export interface SharedPoolOptions extends PoolConfig {
  readonly max: number;
  readonly connectionTimeoutMillis: number;
}

type ConnectCallback = Parameters<Pool['connect']>[0];

/** How long a pool opens no further connections after PostgreSQL had none left for it. */
const pauseMs = 5_000;

/**
 * A pool that gets along with less than its size: when PostgreSQL has no connection left, idle ones of the group are
 * closed, and requests queue for the connections that the pool has.
 */
export class SharedPool extends Pool {
  private readonly size: number;
  private readonly timeoutMs: number;

  constructor(
    options: SharedPoolOptions,
    private readonly group: ConnectionGroup,
  ) {
    super(options);
    this.size = options.max;
    this.timeoutMs = options.connectionTimeoutMillis;
    group.add(() => this.closeIdle());
  }

  /**
   * With a callback, without the promises where no connection has to be opened: Node.js 20 follows every promise for the
   * asynchronous context (docs/decisions/0008).
   */
  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback === undefined) return this.group.acquire(() => this.open(), this.timeoutMs);
    if (this.idleCount === 0 && this.totalCount < this.options.max) return void this.connectFor(callback);
    try {
      assertQueueHasRoom(this.waitingCount, this.size);
    } catch (error) {
      return callback(error as Error, undefined, () => undefined);
    }
    return super.connect((error, client, release) => {
      // While this one waits, a connection may break, and PostgreSQL has none to replace it.
      if (error !== undefined && isExhausted(error)) void this.connectFor(callback);
      else callback(error, client, release);
    });
  }

  private async connectFor(callback: ConnectCallback): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.connect();
    } catch (error) {
      callback(error as Error, undefined, () => undefined);
      return;
    }
    callback(undefined, client, (error?: Error | boolean) => client.release(error));
  }

  private async open(): Promise<PoolClient> {
    assertQueueHasRoom(this.waitingCount, this.size);
    try {
      return await super.connect();
    } catch (error) {
      if (isExhausted(error)) this.shrink();
      throw error;
    }
  }

  /** Until PostgreSQL may have connections again, the pool is as small as it is. */
  private shrink(): void {
    if (this.options.max < this.size) return;
    this.options.max = Math.max(1, this.totalCount);
    setTimeout(() => {
      this.options.max = this.size;
    }, pauseMs).unref();
  }

  private closeIdle(): void {
    for (let left = this.idleCount; left > 0; left -= 1) {
      // An idle connection is handed out at once.
      void super.connect().then(
        (client) => client.release(true),
        () => undefined,
      );
    }
  }
}
