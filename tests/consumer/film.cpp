// Films by the installed library: how many pictures a second of a run takes.
#include <lithe/show/film/make_film.h>

int main() {
  const lithe::film::Schedule schedule = lithe::film::schedule_of({0, 1}, 1, 30);
  return schedule.frames == 30 && schedule.time(15) == 0.5 ? 0 : 1;
}
