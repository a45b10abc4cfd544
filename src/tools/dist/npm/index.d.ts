// SPDX-License-Identifier: MIT

/** Arguments for Chromium: WebGL without an X server. */
export const args: string[];

/** Folder of the installation for this machine's architecture. */
export const folder: string;

/** Path of the program sgpu-run. */
export const run: string;

/** Version of the package. */
export const version: string;

/** Returns the variables with which a program draws on sgpu, and no others. */
export function variables(): Record<string, string>;

/**
 * Returns the environment of this process with these variables, for the option `env` of
 * Puppeteer, Playwright and child_process.
 * @param extra variables that are added
 */
export function env(extra?: Record<string, string | undefined>): Record<string, string>;

/** Options for launch(): the environment and the arguments in addition to the given options. */
export interface LaunchOptions {
   env: Record<string, string>;
   args: string[];
}

/** Options that launchOptions() extends. */
export interface GivenOptions {
   env?: Record<string, string | undefined>;
   args?: string[];
}

/**
 * Returns options for puppeteer.launch() and playwright.chromium.launch().
 * @param options options whose `env` and `args` are extended
 */
export function launchOptions<T extends object>(
   options: T & GivenOptions): Omit<T, 'env' | 'args'> & LaunchOptions;
export function launchOptions(): LaunchOptions;
