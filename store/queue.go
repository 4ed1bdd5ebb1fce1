package store

import (
	"container/heap"
	"sync"
	"time"
)

// queue is work in memory, in the order in which it is due. What is taken is
// leased until it is done or put back; a crash forgets leases, and recall fills
// the queue from the rows. Safe for concurrent use.
type queue[K comparable] struct {
	mu     sync.Mutex
	heap   dueHeap[K]
	all    map[K]*dueItem[K] // waiting or leased
	serial uint64
}

// dueItem is one piece of work.
type dueItem[K comparable] struct {
	key    K
	at     time.Time  // due
	since  time.Time  // here
	serial uint64     // first come, first served
	index  int        // in the heap; leased where it is negative
	again  *time.Time // added while leased
}

const leased = -1

// add makes work due at a time, or sooner if it waits already; work that is
// leased becomes due again after its lease.
func (q *queue[K]) add(key K, at, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	item := q.all[key]
	switch {
	case item == nil:
		if q.all == nil {
			q.all = map[K]*dueItem[K]{}
		}
		item = &dueItem[K]{key: key, since: now}
		q.all[key] = item
		q.push(item, at)
	case item.index == leased:
		if item.again == nil || at.Before(*item.again) {
			item.again = &at
		}
	case at.Before(item.at):
		item.at = at
		heap.Fix(&q.heap, item.index)
	}
}

func (q *queue[K]) push(item *dueItem[K], at time.Time) {
	q.serial++
	item.at, item.serial, item.again = at, q.serial, nil
	heap.Push(&q.heap, item)
}

// take leases the first work that is due and that may be taken (nil: any); since
// is when it came. What may not be taken stays due, or is due again at the time
// that may gives.
func (q *queue[K]) take(now time.Time, may func(key K, since time.Time) (bool, time.Time)) (key K, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var passed []*dueItem[K]
	for len(q.heap) > 0 && !q.heap[0].at.After(now) {
		item := heap.Pop(&q.heap).(*dueItem[K])
		allowed, again := true, time.Time{}
		if may != nil {
			allowed, again = may(item.key, item.since)
		}
		if allowed {
			key, ok = item.key, true
			break
		}
		if again.After(now) {
			item.at = again
		}
		passed = append(passed, item)
	}
	for _, item := range passed {
		heap.Push(&q.heap, item)
	}
	return key, ok
}

// done ends a lease: the work is finished. What was added meanwhile is due no
// sooner than rest.
func (q *queue[K]) done(key K, rest, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	item := q.all[key]
	if item == nil || item.index != leased {
		return
	}
	if item.again == nil {
		delete(q.all, key)
		return
	}
	at := *item.again
	if at.Before(rest) {
		at = rest
	}
	item.since = now
	q.push(item, at)
}

// back ends a lease: the work is due again at a time.
func (q *queue[K]) back(key K, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if item := q.all[key]; item != nil && item.index == leased {
		q.push(item, at)
	}
}

// hurry makes all waiting work due at once.
func (q *queue[K]) hurry(now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, item := range q.heap {
		if item.at.After(now) {
			item.at = now
		}
	}
	heap.Init(&q.heap)
}

// waits is since when work is here and when it is due; false where it is not, or
// leased.
func (q *queue[K]) waits(key K) (since, at time.Time, waits bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	item := q.all[key]
	if item == nil || item.index == leased {
		return time.Time{}, time.Time{}, false
	}
	return item.since, item.at, true
}

// next is when the first waiting work is due; false where there is none.
func (q *queue[K]) next() (time.Time, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.heap) == 0 {
		return time.Time{}, false
	}
	return q.heap[0].at, true
}

// dueHeap orders work by time, then by arrival (container/heap).
type dueHeap[K comparable] []*dueItem[K]

func (h dueHeap[K]) Len() int { return len(h) }
func (h dueHeap[K]) Less(i, j int) bool {
	if !h[i].at.Equal(h[j].at) {
		return h[i].at.Before(h[j].at)
	}
	return h[i].serial < h[j].serial
}
func (h dueHeap[K]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *dueHeap[K]) Push(x any) {
	item := x.(*dueItem[K])
	item.index = len(*h)
	*h = append(*h, item)
}
func (h *dueHeap[K]) Pop() any {
	last := len(*h) - 1
	item := (*h)[last]
	(*h)[last], *h = nil, (*h)[:last]
	item.index = leased
	return item
}
