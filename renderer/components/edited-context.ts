/** Tells the form around a control that a person changed it, for controls without a browser input event. */
import { createContext } from 'react';

export const Edited = createContext<() => void>(() => undefined);
