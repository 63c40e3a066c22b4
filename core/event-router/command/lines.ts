/** Prints any answer as indented lines, for people. */
import { isObject } from '../../domain/json.ts';

/** Lines of a value: `name: value`, members indented; a list has one `-` per item. */
export function inLines(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items
      .map((item) => {
        const text = inLines(item, `${indent}  `);
        return isObject(item)
          ? `${indent}- ${text.slice(indent.length + 2)}`
          : `${indent}- ${text.trimStart()}`;
      })
      .join('');
  }
  if (!isObject(value)) return `${indent}${String(value)}\n`;
  return Object.entries(value)
    .map(([name, member]) => {
      const isNested = isObject(member) || Array.isArray(member);
      if (!isNested) return `${indent}${name}: ${String(member)}\n`;
      const inner = inLines(member, `${indent}  `);
      return inner === '' ? `${indent}${name}: none\n` : `${indent}${name}:\n${inner}`;
    })
    .join('');
}
