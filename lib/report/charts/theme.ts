import type { ThemeName } from '../../core/choices.ts';

/** The colours of a report, named by their meaning. */
export interface Theme {
  readonly background: string;
  readonly card: string;
  readonly border: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  /** Solved tasks, and the first of several measures. */
  readonly first: string;
  /** Unsolved tasks, and the second of several measures. */
  readonly second: string;
  /** Neither. */
  readonly rest: string;
  /** Colours for comparing series. */
  readonly series: readonly string[];
}

/**
 * Blue and orange, and a palette after Okabe and Ito, which differ in lightness and for all types of colour
 * vision. M. Okabe and K. Ito, Color universal design (2008).
 */
export const themes: Readonly<Record<ThemeName, Theme>> = {
  light: {
    background: '#f5f6f8',
    card: '#ffffff',
    border: '#dfe3e8',
    text: '#1b2430',
    muted: '#566273',
    grid: '#e6e9ee',
    first: '#0072b2',
    second: '#e69f00',
    rest: '#a3adb9',
    series: ['#0072b2', '#d55e00', '#009e73', '#b0578d', '#e69f00', '#3a97cf'],
  },
  dark: {
    background: '#10151c',
    card: '#19202a',
    border: '#2c3644',
    text: '#e8ecf1',
    muted: '#a2adbb',
    grid: '#2a3340',
    first: '#56b4e9',
    second: '#e69f00',
    rest: '#6f7c8c',
    series: ['#56b4e9', '#e8743b', '#1fc796', '#e29ac6', '#f0c04a', '#3d8fd1'],
  },
};
