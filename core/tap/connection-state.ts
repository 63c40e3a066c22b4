/** What the two directions of a tapped connection share. */
import type { BodyRoom } from './body-room.ts';
import type { Side } from './exchange.ts';
import type { PendingRequest } from './pending-request.ts';

export class ConnectionState {
  readonly side: Side;
  readonly room: BodyRoom;
  /** Requests that wait for their answers, oldest first. */
  readonly pending: PendingRequest[] = [];
  /** The bytes that are being read have gone on already, so they must not be sent again. */
  isForwarded = false;
  /** Nothing of the client goes on to the server any more. */
  isRefusing = false;
  /** What passes is no longer read. */
  isOpaque = false;
  /** The connection ends: nothing that waits goes on. */
  isOver = false;

  constructor(side: Side, room: BodyRoom) {
    this.side = side;
    this.room = room;
  }
}

/** What each direction asks of the connection. */
export interface ConnectionActions {
  /** Sends bytes of the client to the server. */
  forward(bytes: Buffer): void;
  /** Sends bytes of the server to the client. */
  sendBack(bytes: Buffer): void;
  /** Sends the tap's own answers that are first in line. */
  ownAnswers(): void;
}
