/** Tells the form around a control that a person changed it, where the browser has no input event for it. */
import { createContext } from 'react';

export const Edited = createContext<() => void>(() => undefined);
