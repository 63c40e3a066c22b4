/** Closes the dialog around a button as its close button does: it asks first where something that was entered would be lost. */
import { createContext } from 'react';

export const Leave = createContext<() => void>(() => undefined);
