/** Gives a text to the person as a file. */

/** Begins a download of the texts, one after the other, as UTF-8. */
export function saveFile(name: string, texts: readonly string[], type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([...texts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
