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
	known  map[K]bool // waiting or leased
	leased map[K]bool
	again  map[K]time.Time // added while leased
	serial uint64
}

type dueItem[K comparable] struct {
	key    K
	at     time.Time
	serial uint64 // first come, first served
}

// add makes work due at a time. Work that is waiting stays where it is; work
// that is leased becomes due again after its lease.
func (q *queue[K]) add(key K, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.known == nil {
		q.known, q.leased, q.again = map[K]bool{}, map[K]bool{}, map[K]time.Time{}
	}
	if q.leased[key] {
		q.again[key] = at
		return
	}
	if !q.known[key] {
		q.known[key] = true
		q.push(key, at)
	}
}

func (q *queue[K]) push(key K, at time.Time) {
	q.serial++
	heap.Push(&q.heap, dueItem[K]{key, at, q.serial})
}

// take leases the first work that is due and that may be taken (nil: any).
func (q *queue[K]) take(now time.Time, may func(K) bool) (key K, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var passed []dueItem[K]
	for len(q.heap) > 0 && !q.heap[0].at.After(now) {
		item := heap.Pop(&q.heap).(dueItem[K])
		if may == nil || may(item.key) {
			key, ok = item.key, true
			q.leased[key] = true
			break
		}
		passed = append(passed, item)
	}
	for _, item := range passed {
		heap.Push(&q.heap, item)
	}
	return key, ok
}

// done ends a lease: the work is finished.
func (q *queue[K]) done(key K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.leased, key)
	delete(q.known, key)
	if at, ok := q.again[key]; ok {
		delete(q.again, key)
		q.known[key] = true
		q.push(key, at)
	}
}

// back ends a lease: the work is due again at a time.
func (q *queue[K]) back(key K, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.leased[key] {
		return
	}
	delete(q.leased, key)
	delete(q.again, key)
	q.push(key, at)
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
type dueHeap[K comparable] []dueItem[K]

func (h dueHeap[K]) Len() int { return len(h) }
func (h dueHeap[K]) Less(i, j int) bool {
	if !h[i].at.Equal(h[j].at) {
		return h[i].at.Before(h[j].at)
	}
	return h[i].serial < h[j].serial
}
func (h dueHeap[K]) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dueHeap[K]) Push(x any)   { *h = append(*h, x.(dueItem[K])) }
func (h *dueHeap[K]) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
