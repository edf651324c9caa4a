// Colours. Of series and runs: Okabe and Ito's, which readers with any colour vision can tell apart; a little darker on paper,
// lighter on slate.
export interface Theme {
  dark: boolean;
  sky: string;
  horizon: string;
  ink: string;
  faint: string;
  grid: string;
  ghost: string;
  steel: string; // bodies without a section of their own
  joint: string;
  payload: string;
  series: string[];
}

export const light: Theme = {
  dark: false,
  sky: '#f7f8f8',
  horizon: '#e6eaec',
  ink: '#16212b',
  faint: '#5b6873',
  grid: '#9aa7b1',
  ghost: '#4a5864',
  steel: '#8b98a5',
  joint: '#3b4650',
  payload: '#d98a00',
  series: ['#0072b2', '#d55e00', '#00855f', '#a5527d', '#2b9fd8', '#a97500', '#4a5864'],
};

export const dark: Theme = {
  dark: true,
  sky: '#141a20',
  horizon: '#1d262e',
  ink: '#e8edf1',
  faint: '#98a5b0',
  grid: '#56636f',
  ghost: '#b7c4cf',
  steel: '#8796a4',
  joint: '#c3ced7',
  payload: '#f0ad2e',
  series: ['#4aa8e0', '#f28b46', '#2fc49a', '#dd96b8', '#8fd0f5', '#e6b93c', '#b7c4cf'],
};

/// Links of a single arm, in turn.
export function linkColour(theme: Theme, index: number): string {
  return [theme.series[0], theme.series[4], theme.series[2]][index % 3];
}

/// Blue, green, yellow by growing lightness, after Viridis: from 0 to 1.
export function heat(share: number): [number, number, number] {
  const stops: [number, number, number][] = [
    [0.267, 0.005, 0.329],
    [0.229, 0.322, 0.546],
    [0.128, 0.567, 0.551],
    [0.369, 0.789, 0.383],
    [0.993, 0.906, 0.144],
  ];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  const mix = (c: 0 | 1 | 2) => stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]);
  return [mix(0), mix(1), mix(2)];
}
