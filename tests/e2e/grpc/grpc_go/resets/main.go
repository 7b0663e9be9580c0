// Many connections that make calls and take some of them back, by frames: what no client library
// does on purpose. `resets CONNECTIONS CALLS` makes so many calls on each; PORT comes from the
// environment. Prints how many were answered, how many reset.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	common "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rls "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/protobuf/proto"
)

const atOnce = 16

var answered, reset atomic.Int64

func header() []byte {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	encoder.SetMaxDynamicTableSize(0)
	for _, field := range [][2]string{
		{":method", "POST"}, {":scheme", "http"}, {":authority", "test"},
		{":path", "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit"},
		{"content-type", "application/grpc"}, {"te", "trailers"},
	} {
		encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]})
	}
	return block.Bytes()
}

func body(user string) []byte {
	message, err := proto.Marshal(&rls.RateLimitRequest{
		Domain: "shop",
		Descriptors: []*common.RateLimitDescriptor{{
			Entries: []*common.RateLimitDescriptor_Entry{{Key: "user", Value: user}},
		}},
	})
	if err != nil {
		panic(err)
	}
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
}

// A call on a stream of its own; true when an answer is waited for.
func call(framer *http2.Framer, stream uint32, block, message []byte) bool {
	taken_back := rand.Intn(50)
	framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndHeaders: true})
	if taken_back == 0 { // before it is whole
		framer.WriteData(stream, false, message[:7])
	} else {
		framer.WriteData(stream, true, message)
	}
	if taken_back <= 1 {
		framer.WriteRSTStream(stream, http2.ErrCodeCancel)
		reset.Add(1)
		return false
	}
	return true
}

func hear(framer *http2.Framer, open map[uint32]bool) {
	for len(open) > 0 {
		frame, err := framer.ReadFrame()
		if err != nil {
			panic(err)
		}
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if !frame.IsAck() {
				framer.WriteSettingsAck()
			}
		case *http2.DataFrame:
			if size := uint32(frame.Length); size > 0 {
				framer.WriteWindowUpdate(0, size)
			}
		case *http2.HeadersFrame:
			if frame.StreamEnded() && open[frame.StreamID] {
				delete(open, frame.StreamID)
				answered.Add(1)
			}
		case *http2.GoAwayFrame:
			panic(frame)
		}
	}
}

func converse(port string, calls int) {
	connection, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	defer connection.Close()
	connection.Write([]byte(http2.ClientPreface))
	var out bytes.Buffer
	framer := http2.NewFramer(&out, connection)
	framer.WriteSettings()
	block, message := header(), body(strconv.Itoa(rand.Intn(100_000)))
	open := map[uint32]bool{}
	stream := uint32(1)
	for made := 0; made < calls; {
		for ; len(open) < atOnce && made < calls; made++ {
			if call(framer, stream, block, message) {
				open[stream] = true
			}
			stream += 2
		}
		connection.Write(out.Bytes())
		out.Reset()
		hear(framer, open)
	}
}

func main() {
	connections, _ := strconv.Atoi(os.Args[1])
	calls, _ := strconv.Atoi(os.Args[2])
	var group sync.WaitGroup
	for i := 0; i < connections; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			converse(os.Getenv("PORT"), calls)
		}()
	}
	group.Wait()
	fmt.Println(answered.Load(), reset.Load())
}
