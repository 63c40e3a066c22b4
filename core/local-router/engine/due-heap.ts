/** Keeps items by their due time, the earliest first; of equal times the one with the lower number. */
import { Heap } from '../../domain/heap.ts';

interface Due<T> {
  readonly dueMs: number;
  readonly no: number;
  readonly item: T;
}

export class DueHeap<T> extends Heap<Due<T>> {
  constructor() {
    super((one, other) => (one.dueMs === other.dueMs ? one.no < other.no : one.dueMs < other.dueMs));
  }
}
