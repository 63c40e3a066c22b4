/** The gallery: one column per theme, one section per part. */
import type { ReactElement } from 'react';
import { Controls } from './controls.tsx';
import { Contents } from './contents.tsx';
import { useHashSearch } from '../../renderer/frame/use-hash.ts';
import './gallery.css';
import { Lists } from './lists.tsx';
import { Overlays } from './overlays.tsx';
import { Pictures } from './pictures.tsx';

const THEMES = ['light', 'dark'] as const;

/** Everything; with `?themes=` in the address only the columns named there, so that a look at one thing need not walk through all. */
export function Gallery(): ReactElement {
  const named = new URLSearchParams(useHashSearch()).get('themes')?.split(',');
  const themes = THEMES.filter((theme) => named?.includes(theme) ?? true);
  return (
    <main className="gallery" aria-label="Gallery">
      <h1>Gallery</h1>
      {themes.map((theme) => (
        <section key={theme} aria-label={theme} className="theme" style={{ colorScheme: theme }}>
          <h2>{theme}</h2>
          <Controls theme={theme} />
          <Contents theme={theme} />
          <Lists theme={theme} />
          <Pictures theme={theme} />
        </section>
      ))}
      <Overlays />
    </main>
  );
}
