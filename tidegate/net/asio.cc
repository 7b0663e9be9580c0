// Asio itself, compiled here once (BOOST_ASIO_SEPARATE_COMPILATION), so that its users need not.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
