/** Source of randomness for retry jitter and mock answers by share. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
}
