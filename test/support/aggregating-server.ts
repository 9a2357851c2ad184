import { type RunningServer, type ServerOptions, startServer } from '../../runtime/index.ts';
import { AggregatedServer } from './aggregated-server.ts';
import { HttpClient } from './http-client.ts';
import { ManualClock } from './manual-clock.ts';

/** A server with its own clock, and an aggregated server for a later APIService. */
export class AggregatingServer {
  readonly remote: AggregatedServer;
  readonly clock: ManualClock;
  readonly server: RunningServer;
  readonly http: HttpClient;

  private constructor(remote: AggregatedServer, clock: ManualClock, server: RunningServer) {
    this.remote = remote;
    this.clock = clock;
    this.server = server;
    this.http = HttpClient.for(server);
  }

  static async open(options: ServerOptions = {}): Promise<AggregatingServer> {
    const remote = await AggregatedServer.open();
    const clock = new ManualClock();
    return new AggregatingServer(remote, clock, await startServer({ clock, ...options }));
  }

  async close(): Promise<void> {
    this.http.close();
    await this.server.close();
    await this.remote.close();
  }
}
