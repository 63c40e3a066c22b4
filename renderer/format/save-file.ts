/** Offers a text or bytes as a download. */

/** Starts a download of the joined texts as UTF-8. */
export function saveFile(name: string, texts: readonly string[], type = 'text/plain'): void {
  saveBlob(name, new Blob([...texts], { type }));
}

/** Starts a download of bytes. */
export function saveBytes(name: string, bytes: Uint8Array): void {
  saveBlob(name, new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }));
}

function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
