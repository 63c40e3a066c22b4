/** Icons of how grave a banner is. */
import { CircleAlert, Info, TriangleAlert, type LucideIcon } from 'lucide-react';

export const LEVEL_ICONS: Readonly<Record<'info' | 'warn' | 'error', LucideIcon>> = {
  info: Info,
  warn: TriangleAlert,
  error: CircleAlert,
};
