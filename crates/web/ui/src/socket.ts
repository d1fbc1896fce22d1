// The connection to the server. It comes back by itself when the server does.

import type { Reply, Request } from './protocol';

export type Status = 'connecting' | 'open' | 'lost' | 'refused';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;

interface Handlers {
  status: (status: Status, reason: string) => void;
  reply: (reply: Reply) => void;
}

export class Connection {
  private socket: WebSocket | undefined;
  private pause = FIRST_PAUSE;
  private last = 0;

  constructor(private readonly token: string, private readonly handlers: Handlers) {
    this.connect();
  }

  /** Sends a request and answers its number; 0 if there is no connection. */
  send(request: Request): number {
    if (this.socket?.readyState !== WebSocket.OPEN) return 0;
    this.last += 1;
    this.socket.send(JSON.stringify({ ...request, id: this.last }));
    return this.last;
  }

  private connect(): void {
    this.handlers.status('connecting', '');
    const address = `ws://${location.host}/socket?token=${encodeURIComponent(this.token)}`;
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.pause = FIRST_PAUSE;
      this.handlers.status('open', '');
    });
    socket.addEventListener('message', event => {
      this.handlers.reply(JSON.parse(String(event.data)) as Reply);
    });
    socket.addEventListener('close', event => void this.retry(event.reason));
  }

  private async retry(reason: string): Promise<void> {
    if (await this.isRefused()) {
      this.handlers.status('refused', '');
      return;
    }
    this.handlers.status('lost', reason);
    setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  /** Whether the server is there but does not know our token. */
  private async isRefused(): Promise<boolean> {
    try {
      const answer = await fetch(`/known?token=${encodeURIComponent(this.token)}`);
      return answer.status === 403;
    } catch {
      return false;
    }
  }
}
