/** State shared by the two directions of a tapped connection. */
import type { BodyRoom } from './body-room.ts';
import type { Side } from './exchange.ts';
import type { PendingRequest } from './pending-request.ts';

export class ConnectionState {
  readonly side: Side;
  readonly room: BodyRoom;
  /** Requests that wait for their answers, oldest first. */
  readonly pending: PendingRequest[] = [];
  /** The bytes being read were forwarded already, so they must not be sent again. */
  isForwarded = false;
  /** No more bytes of the client are forwarded to the server. */
  dropsClientBytes = false;
  /** Passing bytes are no longer parsed. */
  passesThrough = false;
  /** The connection ends: nothing that waits is sent. */
  isOver = false;

  constructor(side: Side, room: BodyRoom) {
    this.side = side;
    this.room = room;
  }
}

/** Output of the connection, used by both directions. */
export interface ConnectionActions {
  /** Sends bytes of the client to the server. */
  forward(bytes: Buffer): void;
  /** Sends bytes of the server to the client. */
  sendBack(bytes: Buffer): void;
  /** Sends the tap's own answers that are first in line, and the `100 Continue` that is. */
  ownAnswers(): void;
}
